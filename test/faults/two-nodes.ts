import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mapBounded } from '../../src/platform/map-bounded.ts';
import { readEvents } from '../http/event-reader.ts';
import { type Connection, HTTP_CLIENTS } from '../mcp/support/clients.ts';
import { testServer } from '../support/database.ts';
import { useRest } from '../support/server.ts';
import { completed, type FileStore, type NodePair, openNodePair } from './node-pair.ts';
import { startRefused } from './server-process.ts';

/** So many kills with each store. */
const KILLS = 10;
const WRITERS = 4;
const JOBS_PER_KILL = 10;
/** The lease of a job, and a check for those that expired. A quiet machine needs 12 s. */
const TAKE_OVER_MS = 15_000;

/** Each store has a file of its own, so that both wait for what is taken over at the same time. */
export function testTwoNodes(store: FileStore): void {
  describe.runIf(testServer)(`two nodes with their files in one ${store}`, () => {
    let pair: NodePair;
    beforeAll(async () => {
      pair = await openNodePair(store);
    });
    afterAll(() => pair.close());

    test('a third node that keeps its files elsewhere does not start, and says which node is in the way', async () => {
      const other = `${pair.folder.path}/other`;
      const { exitCode, says } = await startRefused(`${pair.folder.path}/c`, {
        ...pair.settings,
        BLOBS_DIR: other,
      });
      expect(exitCode).toBe(1);
      expect(says).toContain(`This node keeps files in ${other}, which is not where`);
      for (const { url } of pair.nodes) expect((await fetch(`${url}/ready`)).status).toBe(200);
    });

    test('the file of a job is the same on both', async () => {
      const rest = useRest(pair.balancer.url);
      const body = { template: 'receipt', fixture: 'sample', format: 'text' };
      const { body: job } = await rest('POST', '/v1/export', { body, headers: { prefer: 'respond-async' } });
      const { result } = await completed(rest, `/v1/jobs/${job['id']}`);
      const [one, other] = await pair.fromBoth((result as { url: string }).url);
      expect([one?.[0], other?.[0]]).toEqual([200, 200]);
      expect(one?.[1].length).toBeGreaterThan(100);
      expect(one?.[1].equals(other?.[1] ?? Buffer.of())).toBe(true);
    });

    test('a video has the same events and bytes on both, whole and in part', async () => {
      const { body: video } = await useRest(pair.balancer.url)('POST', '/videos', {
        body: { title: 'Two nodes', duration: 1, width: 160, height: 160, quality: 'draft' },
      });
      const path = `/videos/${video['id']}`;
      const events = await pair.fromBoth(`${path}/events`);
      for (const [status, text] of events)
        expect([status, String(text)]).toEqual([200, expect.stringContaining('event: completed')]);
      const [one, other] = await pair.fromBoth(`${path}/file`);
      expect([one?.[0], other?.[0]]).toEqual([200, 200]);
      expect(one?.[1].equals(other?.[1] ?? Buffer.of())).toBe(true);
      for (const { url } of pair.nodes) {
        const part = await fetch(`${url}${path}/file`, { headers: { range: 'bytes=4-7' } });
        expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
      }
    });

    test('a video that is followed at one is followed on at the other, from the last event', async () => {
      const [near, far] = pair.nodes;
      const body = { title: 'Followed', duration: 1, width: 160, height: 160, quality: 'draft' };
      const { body: video } = await near.rest('POST', '/videos', { body });
      const path = `/videos/${video['id']}/events`;
      const leaving = new AbortController();
      const first = await readEvents(await fetch(near.url + path, { signal: leaving.signal })).next();
      leaving.abort();
      const seen = first.value?.id ?? Number.NaN;
      const after = (id: number) => fetch(far.url + path, { headers: { 'last-event-id': String(id) } });
      const events = await Array.fromAsync(readEvents(await after(seen)));
      for (const { id } of events) expect(id).toBeGreaterThan(seen);
      expect(events.at(-1)).toMatchObject({ event: 'completed', data: { id: video['id'] } });
      expect((await after(events.at(-1)?.id ?? 0)).status).toBe(204);
    });

    test('the pictures of a preview are the same on both', async () => {
      const { body } = await useRest(pair.balancer.url)('POST', '/v1/preview', {
        body: { template: 'welcome', devices: ['mobile'], color_schemes: ['light'] },
      });
      const [address] = /https?:[^"]+\/v1\/files\/[^"]+/.exec(JSON.stringify(body)) ?? [];
      const [one, other] = await pair.fromBoth(address);
      expect([one?.[0], other?.[0]]).toEqual([200, 200]);
      expect(one?.[1].subarray(1, 4).toString()).toBe('PNG');
      expect(one?.[1].equals(other?.[1] ?? Buffer.of())).toBe(true);
    });

    test('a sync that one has run is read, and run again with nothing to change, at the other', async () => {
      const [near, far] = pair.nodes;
      const { body: demo } = await near.rest('POST', '/sync/demo', { body: {} });
      const { store, sheet } = demo as Record<'store' | 'sheet', { id: string }>;
      const body = { store_id: store.id, sheet_id: sheet.id, direction: 'store_to_sheet' };
      const { body: run } = await near.rest('POST', '/sync/run', { body });
      expect(run).toMatchObject({ status: 'succeeded' });
      expect(run['changed']).toBeGreaterThan(0);
      const { body: read } = await far.rest('GET', `/sync/history/${run['run_id']}`);
      expect(read).toMatchObject({ id: run['run_id'], status: 'succeeded' });
      const { body: again } = await far.rest('POST', '/sync/run', { body });
      expect(again).toMatchObject({ status: 'succeeded', changed: 0 });
    });

    test('MCP clients of three eras call through the balancer, which takes turns, also while a node is dead and after it came back', async () => {
      const { body } = await useRest(pair.balancer.url)('POST', '/api/v1/api-keys', {
        body: { name: 'assistant', scopes: ['templates:read', 'templates:render'] },
      });
      const connect = () =>
        Promise.all(HTTP_CLIENTS.map(([, open]) => open(pair.balancer.url, String(body['key']))));
      const call = async (client: Connection, nth: number) => {
        const answer = await client.callTool('render_template', {
          ...{ template: 'welcome', data: { name: `Ana ${nth}` } },
        });
        expect(JSON.stringify(answer)).toContain(`Ana ${nth}`);
      };
      // One after the other, so that two calls of a client are at two nodes.
      const clients = await connect();
      for (const client of clients) for (let nth = 0; nth < 4; nth++) await call(client, nth);
      await pair.kill(0);
      const others = await connect();
      for (const client of others) await call(client, 4);
      await pair.restart(0);
      for (const client of others) for (let nth = 5; nth < 9; nth++) await call(client, nth);
      await Promise.all([...clients, ...others].map((client) => client.close().catch(() => {})));
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
          await delay(25);
        }
      };
      const post = (path: string, body: object) =>
        fetch(`${pair.balancer.url}${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }).then(
          async (response) => {
            const text = await response.text();
            return response.ok ? response.status : `${response.status} ${text}`;
          },
          (error: unknown) => String(error),
        );
      const writers = Array.from({ length: WRITERS }, writer);
      let longest = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        await delay(100 + 83 * kill);
        const rest = useRest(pair.balancer.url);
        const batch: string[] = [];
        for (let job = 0; job < JOBS_PER_KILL; job++) {
          const body = { template: 'receipt', fixture: 'sample', format: 'text' };
          const answer = await rest('POST', '/v1/export', { body, headers: { prefer: 'respond-async' } });
          if (answer.status === 202) batch.push(String(answer.body['id']));
        }
        const victim = kill % 2 === 0 ? 0 : 1;
        const survivor = pair.nodes[1 - victim] ?? pair.nodes[0];
        knows = false;
        await pair.kill(victim);
        const killedAt = performance.now();
        // Calls that were sent to it have failed by then.
        await delay(200);
        knows = true;
        // Either the survivor is alone with the work of both, or a supervisor starts the killed one again at once.
        const isAlone = kill % 4 < 2;
        const restarted = isAlone ? undefined : pair.restart(victim);
        await Promise.all(batch.map((id) => completed(survivor.rest, `/v1/jobs/${id}`)));
        // A start beside it on the same machine says nothing of a take-over.
        if (isAlone) longest = Math.max(longest, performance.now() - killedAt);
        jobs.push(...batch);
        await (restarted ?? pair.restart(victim));
      }
      stopped = true;
      await Promise.all(writers);
      const rest = useRest(pair.balancer.url);
      const lost: string[] = [];
      await mapBounded([...written], 8, async (name) => {
        if ((await rest('GET', `/v1/templates/${name}`)).status !== 200) lost.push(name);
      });
      process.stdout.write(
        `${store}: ${written.size} writes, ${jobs.length} jobs, longest take-over ${(longest / 1000).toFixed(1)} s\n`,
      );
      expect({ lost, failed }).toEqual({ lost: [], failed: [] });
      expect(written.size).toBeGreaterThan(KILLS * 5);
      expect(jobs).toHaveLength(KILLS * JOBS_PER_KILL);
      expect(longest).toBeLessThan(TAKE_OVER_MS);
    });
  });
}
