import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { openS3Server } from '../support/s3-server.ts';
import { useRest } from '../support/server.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { newFolder, type ServerProcess, startProcess, startRefused } from './server-process.ts';

/** So many kills with each store. */
const KILLS = 10;
const WRITERS = 4;
const JOBS_PER_KILL = 10;
/** The lease of a job, and a check for those that expired. A quiet machine needs 12 s. */
const TAKE_OVER_MS = 15_000;

type Settings = Readonly<Record<string, string>>;

describe.runIf(testServer).each(['folder', 's3'] as const)(
  'two nodes with their files in one %s',
  (store) => {
    let database: TestDatabase;
    let folder: Awaited<ReturnType<typeof newFolder>>;
    let s3: Awaited<ReturnType<typeof openS3Server>>;
    let balancer: Balancer;
    let nodes: readonly [ServerProcess, ServerProcess];
    const started: ServerProcess[] = [];

    /** Of one of the nodes; each has a data folder of its own. */
    const settings = (files: Settings): Settings => ({
      DATABASE_URL: database.url ?? '',
      VIDEO_WORKERS: '1',
      ...files,
    });
    const files = (): Settings => (store === 's3' ? s3.env : { BLOBS_DIR: `${folder.path}/shared` });

    async function startNode(name: string): Promise<ServerProcess> {
      const node = await startProcess(`${folder.path}/${name}`, settings(files()));
      started.push(node);
      await balancer.add(node.url);
      return node;
    }

    beforeAll(async () => {
      [database, folder, s3, balancer] = await Promise.all([
        openTestDatabase(),
        newFolder(),
        openS3Server(),
        startBalancer(),
      ]);
      nodes = [await startNode('a'), await startNode('b')];
    });
    afterAll(async () => {
      await balancer.close();
      await Promise.all(started.map((node) => node.kill()));
      await Promise.all([database.close(), folder.remove(), s3.close()]);
    });

    const pathOf = (url: unknown) => String(url).replace(/^https?:\/\/[^/]+/, '');

    /** The bytes at a path, from each node. */
    async function fromBoth(path: string): Promise<[number, Buffer][]> {
      return Promise.all(
        nodes.map(async ({ url }): Promise<[number, Buffer]> => {
          const response = await fetch(`${url}${path}`);
          return [response.status, Buffer.from(await response.arrayBuffer())];
        }),
      );
    }

    test('a third node that keeps its files elsewhere does not start, and says which node is in the way', async () => {
      const { exitCode, says } = await startRefused(
        `${folder.path}/c`,
        settings({ BLOBS_DIR: `${folder.path}/other` }),
      );
      expect(exitCode).toBe(1);
      expect(says).toContain(`This node keeps files in ${folder.path}/other, which is not where`);
      for (const { url } of nodes) expect((await fetch(`${url}/ready`)).status).toBe(200);
    });

    test('the file of a job is the same on both', async () => {
      const rest = useRest(balancer.url);
      const body = { template: 'receipt', fixture: 'sample', format: 'text' };
      const { body: job } = await rest('POST', '/v1/export', { body, headers: { prefer: 'respond-async' } });
      const result = (await ended(rest, String(job['id']))) as { url: string };
      const [one, other] = await fromBoth(pathOf(result.url));
      expect([one?.[0], other?.[0]]).toEqual([200, 200]);
      expect(one?.[1].length).toBeGreaterThan(100);
      expect(one?.[1].equals(other?.[1] ?? Buffer.of())).toBe(true);
    });

    test('a video has the same events and bytes on both, whole and in part', async () => {
      const { body: video } = await useRest(balancer.url)('POST', '/videos', {
        body: { title: 'Two nodes', duration: 1, width: 160, height: 160, quality: 'draft' },
      });
      const path = `/videos/${video['id']}`;
      const events = await fromBoth(`${path}/events`);
      for (const [status, text] of events)
        expect([status, String(text)]).toEqual([200, expect.stringContaining('event: completed')]);
      const [one, other] = await fromBoth(`${path}/file`);
      expect([one?.[0], other?.[0]]).toEqual([200, 200]);
      expect(one?.[1].equals(other?.[1] ?? Buffer.of())).toBe(true);
      for (const { url } of nodes) {
        const part = await fetch(`${url}${path}/file`, { headers: { range: 'bytes=4-7' } });
        expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
      }
    });

    test(`of ${KILLS} kills of either, no acknowledged write or job is lost, and no call fails once the balancer knows`, async () => {
      const written = new Set<string>();
      const jobs: string[] = [];
      const failed: string[] = [];
      let knows = true;
      let stopped = false;
      let nth = 0;
      const writer = async () => {
        while (!stopped) {
          const name = `kept-${store}-${nth++}`;
          const known = knows;
          const status = await post('/v1/templates', { name, html: `<p>${name}</p>` });
          if (status === 201) written.add(name);
          // A call that was under way at a kill may fail.
          else if (known && knows) failed.push(`${name}: ${status}`);
          await delay(10);
        }
      };
      const post = (path: string, body: object) =>
        fetch(`${balancer.url}${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }).then(
          async (response) => {
            await response.arrayBuffer();
            return response.status;
          },
          (error: unknown) => String(error),
        );
      const writers = Array.from({ length: WRITERS }, writer);
      let longest = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        await delay(100 + 83 * kill);
        const rest = useRest(balancer.url);
        const batch: string[] = [];
        for (let job = 0; job < JOBS_PER_KILL; job++) {
          const body = { template: 'receipt', fixture: 'sample', format: 'text' };
          const answer = await rest('POST', '/v1/export', { body, headers: { prefer: 'respond-async' } });
          if (answer.status === 202) batch.push(String(answer.body['id']));
        }
        const victim = nodes[kill % 2] ?? nodes[0];
        const survivor = nodes[(kill + 1) % 2] ?? nodes[1];
        knows = false;
        await victim.kill();
        balancer.remove(victim.url);
        const killedAt = performance.now();
        // Calls that were sent to it have failed by then.
        await delay(200);
        knows = true;
        await Promise.all(batch.map((id) => ended(useRest(survivor.url), id)));
        longest = Math.max(longest, performance.now() - killedAt);
        jobs.push(...batch);
        const next = await startNode(kill % 2 === 0 ? 'a' : 'b');
        nodes = kill % 2 === 0 ? [next, survivor] : [survivor, next];
      }
      stopped = true;
      await Promise.all(writers);
      const rest = useRest(balancer.url);
      const lost: string[] = [];
      for (const name of written)
        if ((await rest('GET', `/v1/templates/${name}`)).status !== 200) lost.push(name);
      process.stdout.write(
        `${store}: ${written.size} writes, ${jobs.length} jobs, longest take-over ${(longest / 1000).toFixed(1)} s\n`,
      );
      expect({ lost, failed }).toEqual({ lost: [], failed: [] });
      expect(written.size).toBeGreaterThan(KILLS * 5);
      expect(jobs).toHaveLength(KILLS * JOBS_PER_KILL);
      expect(longest).toBeLessThan(TAKE_OVER_MS);
    });
  },
);

/** The result of a job that completes. */
async function ended(rest: ReturnType<typeof useRest>, id: string): Promise<unknown> {
  for (;;) {
    const { body } = await rest('GET', `/v1/jobs/${id}`);
    if (body['status'] === 'completed') return body['result'];
    if (body['status'] === 'failed') throw new Error(`${id} failed: ${JSON.stringify(body['error'])}`);
    await delay(50);
  }
}
