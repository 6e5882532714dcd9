import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

const REQUESTS = 5_000;
const A_SECOND = 50;

describe.runIf(testServer)('two nodes behind a balancer that asks /ready', () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let balancer: Balancer;
  const nodes: ServerProcess[] = [];

  const startNode = async () => {
    const node = await startProcess(folder.path, {
      DATABASE_URL: database.url ?? '',
      BLOBS_DIR: `${folder.path}/blobs`,
      DRAIN_SECONDS: '3',
      VIDEO_WORKERS: '0',
    });
    nodes.push(node);
    await balancer.add(node.url);
    return node;
  };

  beforeAll(async () => {
    [database, folder, balancer] = await Promise.all([openTestDatabase(), newFolder(), startBalancer()]);
  });
  afterAll(async () => {
    await balancer.close();
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all([database.close(), folder.remove()]);
  });

  test(`are restarted one after the other, again and again: ${REQUESTS} reads, renders and writes all succeed`, async () => {
    let running = [await startNode(), await startNode()];
    const answers = new Map<string, number>();
    let sent = 0;
    const send = async () => {
      const answer = await REQUESTS_OF_A_SHOP[sent++ % REQUESTS_OF_A_SHOP.length]?.(balancer.url, sent);
      const told = String(answer);
      answers.set(told, (answers.get(told) ?? 0) + 1);
    };
    const load = (async () => {
      const all: Promise<void>[] = [];
      for (; sent < REQUESTS; await delay(1_000 / A_SECOND)) all.push(send());
      await Promise.all(all);
    })();
    const exits: (number | null)[] = [];
    while (sent < REQUESTS) {
      const [old, ...others] = running;
      if (!old) break;
      running = [...others, await startNode()];
      exits.push(await old.terminate());
      balancer.remove(old.url);
    }
    await load;
    expect(Object.fromEntries(answers)).toEqual({ 200: expect.any(Number), 201: expect.any(Number) });
    expect(exits.length).toBeGreaterThanOrEqual(4);
    expect(new Set(exits)).toEqual(new Set([0]));
  });

  test('a second signal ends a node that drains at once', async () => {
    const node = await startNode();
    process.kill(node.pid, 'SIGTERM');
    await expect.poll(() => fetch(`${node.url}/ready`).then(({ status }) => status)).toBe(503);
    const asked = await fetch(`${node.url}/health`);
    expect([asked.status, asked.headers.get('connection')]).toEqual([200, 'close']);
    expect(await node.terminate()).toBe(1);
  });
});

type Request = (url: string, nth: number) => Promise<number | string>;

const post = (path: string, body: (nth: number) => object): Request => {
  return (url, nth) => status(`${url}${path}`, { method: 'POST', body: JSON.stringify(body(nth)) });
};

const REQUESTS_OF_A_SHOP: readonly Request[] = [
  post('/v1/render', (nth) => ({ template: 'welcome', data: { name: `Ana ${nth}` } })),
  (url) => status(`${url}/v1/templates`),
  post('/v1/render', () => ({ template: 'receipt' })),
  (url) => status(`${url}/v1/templates/welcome`),
  post('/v1/templates', (nth) => ({ name: `made-${nth}`, html: `<p>${nth}</p>` })),
];

/** The status, or what went wrong on the way. */
async function status(url: string, init: RequestInit = {}): Promise<number | string> {
  try {
    const response = await fetch(url, { ...init, headers: { 'Content-Type': 'application/json' } });
    const text = await response.text();
    return response.ok ? response.status : `${response.status} ${text}`;
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error);
  }
}
