import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/cli.ts';
import { readConfig } from '../../src/config.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createMetrics } from '../../src/platform/metrics/metrics.ts';
import { createMetricsText } from '../../src/wiring/metrics.ts';
import { AskedFirst } from '../../tools/contract/asked-first.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { serveStdioMcp } from '../../tools/mcp/serve-stdio.ts';
import { testProgram, testTerminal } from '../cli/terminal.ts';
import { HTTP_CLIENTS } from '../mcp/support/clients.ts';
import { openTestApp, PRODUCT, silentLog, type TestApp, useTools } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { createFakeRenderer } from '../support/fake-renderer.ts';
import { movedCounters, readMetrics } from '../support/metrics-text.ts';
import { newKey, startTestServer, type TestServer, useRest } from '../support/server.ts';
import { ask, endOf, openAccount, openNode } from '../videos/render/workshop.ts';

const TOKEN = 'the-token-of-our-prometheus';

let app: TestApp;
let server: TestServer;
let accountId: string;
let key: string;

beforeAll(async () => {
  app = await openTestApp();
  server = await startTestServer(app, { METRICS_TOKEN: TOKEN });
  ({ accountId, key } = await newKey(app));
  await app.jobs.start({ run: createRunJob({ app, registry: PRODUCT, log: silentLog }) });
});
afterAll(async () => {
  await server.close();
  await app.close();
});

async function scrape(): Promise<string> {
  const { body } = await useRest(server.url, TOKEN)('GET', '/metrics');
  return String(body['text']);
}

/** By how much the counters moved through `work`. */
async function movedBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape();
  await work();
  return movedCounters(before, await scrape());
}

const call = (operation: string, transport: string, outcome = 'ok') => ({
  [`stallhand_calls_total{operation="${operation}",transport="${transport}",outcome="${outcome}"}`]: 1,
  [`stallhand_call_duration_seconds_count{operation="${operation}"}`]: 1,
});
const render = (kind: string, outcome = 'ok') => ({
  [`stallhand_renders_total{kind="${kind}",outcome="${outcome}"}`]: 1,
  [`stallhand_render_duration_seconds_count{kind="${kind}"}`]: 1,
});

describe('one call moves its metrics by one', () => {
  const input = { template: 'welcome', data: { name: 'Ana' } };

  test('over REST', async () => {
    const moved = await movedBy(() => useRest(server.url, key)('POST', '/v1/render', { body: input }));
    expect(moved).toEqual({ ...call('render_template', 'rest'), ...render('email') });
  });

  test('over REST, as lines', async () => {
    const moved = await movedBy(() =>
      useRest(server.url, key)('POST', '/v1/render/batch?template=welcome', {
        body: '{"data":{"name":"Ana"}}\n',
        headers: { 'content-type': 'application/x-ndjson' },
      }),
    );
    expect(moved).toEqual({ ...call('render_batch', 'rest'), ...render('email') });
  });

  test('from the command line, which calls REST', async () => {
    const words = ['templates', 'render', 'welcome', '--data.name', 'Ana', '--json'];
    const { terminal } = testTerminal();
    const program = testProgram(terminal, { url: server.url, apiKey: key });
    const moved = await movedBy(() => run(words, program));
    expect(moved).toEqual({ ...call('render_template', 'rest'), ...render('email') });
  });

  test.each(HTTP_CLIENTS)('over MCP, from %s', async (_name, connect) => {
    const client = await connect(server.url, key);
    const moved = await movedBy(() => client.callTool('render_template', input));
    await client.close();
    expect(moved).toEqual({ ...call('render_template', 'mcp'), ...render('email') });
  });

  test('over MCP on standard input and output', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const caller = { accountId, actor: 'key:test', scopes: SCOPES, via: 'api_key' } as const;
    const parts = { app, registry: PRODUCT, caller, locale: 'en', log: silentLog, version: '1.2.3' } as const;
    const mcp = serveStdioMcp({ ...parts, baseUrl: 'http://stallhand.test', stdin, stdout });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioServerTransport(stdout, stdin));
    const moved = await movedBy(() => client.callTool({ name: 'render_template', arguments: input }));
    await client.close();
    await mcp.close();
    expect(moved).toEqual({ ...call('render_template', 'mcp'), ...render('email') });
  });

  test('as a job: the call that asks for it, the attempt, and the call it stands for', async () => {
    const rest = useRest(server.url, key);
    const moved = await movedBy(async () => {
      const { headers } = await rest('POST', '/v1/export', {
        body: { ...input, format: 'png' },
        headers: { prefer: 'respond-async' },
      });
      const id = headers.get('location')?.split('/').at(-1) ?? '';
      for await (const _ of app.jobs.follow(accountId, id, 0, AbortSignal.timeout(30_000)));
    });
    expect(moved).toEqual({
      ...call('export_template:job', 'rest'),
      ...call('export_template', 'job'),
      ...render('email'),
      ...render('screenshot'),
      'stallhand_attempts_total{kind="job",outcome="done"}': 1,
      'stallhand_attempt_duration_seconds_count{kind="job"}': 1,
    });
  });

  test('that makes a video: its steps, and its end', async () => {
    const account = await openAccount(app.database);
    const node = await openNode(app.database, { stages: createFakeRenderer(), metrics: app.metrics });
    const moved = await movedBy(async () => {
      const { id } = await ask(node.videos);
      await endOf(node.videos, id, account);
      // The end is announced before the step that made it has returned.
      await node.stop();
    });
    // One step prepares it, each chunk is one, and one makes the file.
    expect(moved).toEqual({
      'stallhand_videos_total{status="completed"}': 1,
      'stallhand_attempts_total{kind="step",outcome="done"}': 4,
      'stallhand_attempt_duration_seconds_count{kind="step"}': 4,
    });
  });

  test('that a person must decide first: it has not failed', async () => {
    const ask = async () => {
      throw new AskedFirst();
    };
    const model = useTools(
      app,
      { accountId, actor: 'key:test', scopes: SCOPES, via: 'api_key' },
      { byModel: true, ask },
    );
    const moved = await movedBy(() => model('delete_template', { template: 'welcome' }).catch(() => {}));
    expect(moved).toEqual(call('delete_template', 'mcp', 'asked'));
  });

  test('that waits for a person as a job: the attempt has done its part, and the call has asked', async () => {
    const caller = { accountId, actor: 'key:test', scopes: SCOPES, via: 'api_key' } as const;
    const moved = await movedBy(async () => {
      const { id } = await app.jobs.create(caller, {
        ...{ tool: 'delete_template', input: { template: 'welcome' }, locale: 'en', baseUrl: '' },
        ...{ byModel: true, asks: true },
      });
      for await (const { status } of app.jobs.follow(accountId, id, 0, AbortSignal.timeout(30_000)))
        if (status === 'waiting') break;
      await app.jobs.cancel(accountId, id);
    });
    expect(moved).toEqual({
      ...call('delete_template', 'job', 'asked'),
      'stallhand_attempts_total{kind="job",outcome="done"}': 1,
      'stallhand_attempt_duration_seconds_count{kind="job"}': 1,
    });
  });

  test('that its caller gave up', async () => {
    const signal = AbortSignal.abort();
    const model = useTools(app, { accountId, actor: 'key:test', scopes: SCOPES, via: 'api_key' }, { signal });
    const moved = await movedBy(() => model('export_template', { ...input, format: 'png' }).catch(() => {}));
    expect(moved).toMatchObject(call('export_template', 'rest', 'canceled'));
  });

  test('that is refused: its error, once as a call and once as a response', async () => {
    const moved = await movedBy(() => useRest(server.url, key)('GET', '/v1/templates/unknown'));
    const error = { 'stallhand_http_errors_total{code="not_found"}': 1 };
    expect(moved).toEqual({ ...call('get_template', 'rest', 'not_found'), ...error });
  });

  test('that never became a call, since the key is wrong', async () => {
    const moved = await movedBy(() => useRest(server.url, 'wrong')('GET', '/v1/templates'));
    expect(moved).toEqual({ 'stallhand_http_errors_total{code="unauthenticated"}': 1 });
  });
});

/** The metrics of a process that has nothing but a database. */
function metricsOf(database: Database, now?: () => number) {
  return createMetricsText({
    ...{ database, config: readConfig({}), metrics: createMetrics() },
    browser: { state: () => ({ running: false, busy: 0, waiting: 0 }) },
    // However busy this machine is.
    databaseTimeoutMs: 60_000,
    ...(now && { now }),
  });
}

describe('the state of the node', () => {
  test('is told with each text: process, database, browser and disk', async () => {
    const delay = 'stallhand_event_loop_delay_seconds{quantile="0.99"}';
    await expect.poll(async () => readMetrics(await scrape()).get(delay)).toBeLessThan(10);
    const values = readMetrics(await scrape());
    expect(values.get('stallhand_database_connections{state="max"}')).toBe(10);
    for (const name of [
      'stallhand_database_connections{state="open"}',
      'stallhand_memory_bytes{area="rss"}',
      'stallhand_memory_bytes{area="heap_used"}',
      'stallhand_disk_free_bytes',
      'stallhand_disk_size_bytes',
      'stallhand_uptime_seconds',
    ])
      expect([name, values.get(name)]).toEqual([name, expect.toSatisfy((value) => value > 0)]);
    expect(values.get('stallhand_browser_pages{state="waiting"}')).toBe(0);
  });

  test('has whether the database answers, and how fast', async () => {
    const values = readMetrics(await metricsOf(app.database).text());
    expect(values.get('stallhand_database_up')).toBe(1);
    expect(values.get('stallhand_database_answer_seconds')).toBeGreaterThan(0);
  });

  test('has the work that waits, with its age, of every kind', async () => {
    const fresh = await openTestApp();
    const account = await openAccount(fresh.database);
    await fresh.database.sql`
      insert into jobs (id, account_id, tool, input, caller, locale, base_url, created_at)
      values ('job_1', ${account}, 'export_template', '{}', '{}', 'en', 'http://shop.example', now() - interval '1 hour')`;
    const node = await openNode(fresh.database, { working: false });
    await ask(node.videos);
    const values = readMetrics(await metricsOf(fresh.database).text());
    await node.stop();
    await fresh.close();
    expect(values.get('stallhand_work{kind="job",state="queued"}')).toBe(1);
    expect(values.get('stallhand_work{kind="video",state="pending"}')).toBe(1);
    expect(values.get('stallhand_work_oldest_seconds{kind="job",state="queued"}')).toBeGreaterThanOrEqual(
      3600,
    );
  });

  test('is asked of the database at most once in ten seconds, and then in one statement', async () => {
    const statements: string[] = [];
    const database = await openTestDatabase({ onQuery: (statement) => void statements.push(statement) });
    const clock = { ms: 0 };
    const { text } = metricsOf(database, () => clock.ms);
    const asked = () =>
      statements.filter((statement) => /from (jobs|videos|sync_runs)/.test(statement)).length;
    await Promise.all([text(), text(), text()]);
    clock.ms = 9_999;
    await text();
    expect(asked()).toBe(1);
    clock.ms = 10_000;
    await text();
    expect(asked()).toBe(2);
    await database.close();
  });

  test('is told without the database, too', async () => {
    const database = await openTestDatabase();
    await database.close();
    const values = readMetrics(await metricsOf(database).text());
    expect(values.get('stallhand_database_up')).toBe(0);
    expect(values.get('stallhand_memory_bytes{area="rss"}')).toBeGreaterThan(0);
  });

  test('is answered by the route, too, while the database does not', async () => {
    const hung = await openTestApp();
    const other = await startTestServer(hung, { METRICS_TOKEN: TOKEN });
    // What counts the jobs waits for the end of this.
    const { status, body } = await hung.database.sql.begin(async (tx) => {
      await tx`lock table jobs in access exclusive mode`;
      return useRest(other.url, TOKEN)('GET', '/metrics');
    });
    await other.close();
    await hung.close();
    expect([status, readMetrics(String(body['text'])).get('stallhand_database_up')]).toEqual([200, 0]);
  });

  test('says nothing of anybody: no account, template or address is in a label', async () => {
    const text = await scrape();
    for (const secret of [accountId, key, 'welcome', '127.0.0.1', TOKEN]) expect(text).not.toContain(secret);
    const labels = new Set([...text.matchAll(/[{,]([a-z_]+)="/g)].map(([, name]) => name));
    expect([...labels].sort()).toEqual(
      ['area', 'code', 'kind', 'le', 'node', 'operation', 'outcome', 'quantile', 'state', 'status'].concat(
        'transport',
        'version',
      ),
    );
  });
});

describe('who may read them', () => {
  const asked = async (env: Record<string, string>, headers: Record<string, string> = {}) => {
    const other = await startTestServer(app, env);
    // Unlike fetch, this sends every header it is given.
    const sent = get(`${other.url}/metrics`, { headers });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = { status: response.statusCode, isText: (await readText(response)).includes('stallhand_') };
    await other.close();
    return answer;
  };
  const refused = (status: number) => ({ status, isText: false });

  test('no one on a server that needs credentials, whatever credential they have', async () => {
    expect(await asked({})).toEqual(refused(401));
    expect(await asked({}, { authorization: `Bearer ${key}` })).toEqual(refused(404));
  });

  test('only who has the token, when there is one, in every mode', async () => {
    for (const AUTH_MODE of ['required', 'open']) {
      const env = { METRICS_TOKEN: TOKEN, AUTH_MODE };
      expect(await asked(env)).toEqual(refused(401));
      for (const wrong of [
        `Bearer ${key}`,
        `Bearer ${TOKEN}x`,
        `Bearer ${TOKEN.slice(1)}`,
        `Basic ${TOKEN}`,
        'Bearer ',
      ])
        expect(await asked(env, { authorization: wrong })).toEqual(refused(401));
      expect(await asked(env, { authorization: `Bearer ${TOKEN}` })).toEqual({ status: 200, isText: true });
    }
  });

  test('in open mode every program on this machine, but no page of another site and no rebound name', async () => {
    const env = { AUTH_MODE: 'open' };
    expect(await asked(env)).toEqual({ status: 200, isText: true });
    expect(await asked(env, { host: 'rebound.example' })).toEqual(refused(403));
    expect(await asked(env, { origin: 'https://evil.example' })).toEqual(refused(403));
    expect(await asked(env, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toEqual(
      refused(403),
    );
  });

  test('guesses of the token are limited by address', async () => {
    const limited = await openTestApp({ RATE_LIMITS: '{"public": {"perSecond": 0.001, "burst": 2}}' });
    const other = await startTestServer(limited, { METRICS_TOKEN: TOKEN });
    const guess = async () => (await fetch(`${other.url}/metrics`)).status;
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
    expect((await useRest(other.url, TOKEN)('GET', '/metrics')).status).toBe(200);
    await other.close();
    await limited.close();
  });

  test('a short token is no token: the server does not start with it', async () => {
    await expect(startTestServer(app, { METRICS_TOKEN: 'short' })).rejects.toThrow(
      /METRICS_TOKEN: at least 16/,
    );
  });
});
