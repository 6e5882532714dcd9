import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testServer } from '../support/database.ts';
import { useRest } from '../support/server.ts';
import { completed, type NodePair, openNodePair } from './node-pair.ts';
import type { ServerProcess } from './server-process.ts';

const HOUR_MS = 3_600_000;
const AHEAD_MS = 48 * HOUR_MS;
/** What is past its time is deleted first a minute after the start. */
const FIRST_CLEANUP_MS = 65_000;

describe.runIf(testServer)('of two nodes, one whose clock is two days ahead', () => {
  let pair: NodePair;
  let startedAt = 0;
  beforeAll(async () => {
    pair = await openNodePair('folder', {
      NODE_OPTIONS: `--import=${new URL('children/clock-ahead.ts', import.meta.url)}`,
      CLOCK_AHEAD_MS: String(AHEAD_MS),
      LOG_LEVEL: 'warn',
    });
    startedAt = performance.now();
  });
  afterAll(() => pair.close());

  test('says by how much', async () => {
    const said = () => Number(/"ahead_seconds":(\d+)/.exec(pair.nodes[1].errors())?.[1]);
    await expect.poll(said).toBeCloseTo(AHEAD_MS / 1_000, -1);
  });

  test('is ready, and does each change once for one Idempotency-Key, whichever node gets it first', async () => {
    for (const [first, second] of bothWays(pair)) {
      expect((await fetch(`${second.url}/ready`)).status).toBe(200);
      const name = `of-${pair.nodes.indexOf(first)}`;
      const body = { name, html: '<p>Hello {{name}}</p>' };
      const created = await first.rest('POST', '/v1/templates', {
        body,
        headers: { 'idempotency-key': name },
      });
      const again = await second.rest('POST', '/v1/templates', {
        body,
        headers: { 'idempotency-key': name },
      });
      expect([created.status, again.status]).toEqual([201, 201]);
      expect(again.body).toEqual(created.body);
      const rendered = await second.rest('POST', '/v1/render', {
        body: { template: name, data: { name: 'Ana' } },
      });
      expect(rendered.body).toMatchObject({ html: expect.stringContaining('Hello Ana') });
    }
  });

  test('takes the links, files, keys and videos of the other, also after it has deleted what is past its time', async () => {
    const made = await Promise.all(pair.nodes.map(async (node, nth) => makeThings(node, nth)));
    const [exact, ahead] = pair.nodes;
    expect(await Promise.all(made.map((things) => usedAt(ahead, things)))).toEqual([ALL, ALL]);
    const later = await Promise.all(pair.nodes.map(async (node, nth) => makeThings(node, nth + 2)));
    await delay(FIRST_CLEANUP_MS - (performance.now() - startedAt));
    for (const node of [exact, ahead])
      expect(await Promise.all(made.map((things) => readAt(node, things)))).toEqual([READ, READ]);
    expect(await Promise.all(later.map((things) => usedAt(exact, things)))).toEqual([ALL, ALL]);
  });
});

const bothWays = ({ nodes: [exact, ahead] }: NodePair) =>
  [
    [exact, ahead],
    [ahead, exact],
  ] as const;

type Things = {
  readonly upload: string;
  readonly file: string;
  readonly key: string;
  readonly video: string;
};

/** What can be used for an hour or a day: an upload link, a file, an API key. And a video. */
async function makeThings({ rest }: ServerProcess, nth: number): Promise<Things> {
  const body = { path: `dots/${nth}.png`, bytes: DOT.length };
  const { body: upload } = await rest('POST', '/v1/assets/uploads', { body });
  const { body: job } = await rest('POST', '/v1/export', {
    body: { template: 'receipt', fixture: 'sample', format: 'text' },
    headers: { prefer: 'respond-async' },
  });
  const { body: key } = await rest('POST', '/api/v1/api-keys', {
    body: {
      name: `for a day ${nth}`,
      scopes: ['templates:read'],
      expires_at: new Date(Date.now() + 24 * HOUR_MS).toISOString(),
    },
  });
  const { body: video } = await rest('POST', '/videos', {
    body: { title: `Clock ${nth}`, duration: 1, width: 160, height: 160, quality: 'draft' },
  });
  const { url } = (await completed(rest, `/v1/jobs/${job['id']}`))['result'] as { url: string };
  await completed(rest, `/videos/${video['id']}`);
  return {
    upload: String(upload['upload_url']),
    file: url,
    key: String(key['key']),
    video: `/videos/${video['id']}/file`,
  };
}

/** A PNG of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const READ = { file: 200, key: 200, video: 200 };
const ALL = { ...READ, upload: 201 };

async function usedAt(node: ServerProcess, things: Things) {
  const sent = await fetch(at(node, things.upload), { method: 'PUT', body: DOT });
  return { ...(await readAt(node, things)), upload: sent.status };
}

async function readAt(node: ServerProcess, { file, key, video }: Things) {
  return {
    file: (await fetch(at(node, file))).status,
    key: (await useRest(node.url, key)('GET', '/v1/templates')).status,
    video: (await fetch(at(node, video))).status,
  };
}

/** The address at another node. */
function at({ url }: ServerProcess, address: string): string {
  return new URL(address, url).href.replace(/^https?:\/\/[^/]+/, url);
}
