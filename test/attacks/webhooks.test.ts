import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { openDatabase, type Sql } from '../../src/platform/database/database.ts';
import { createGuardedPost } from '../../src/platform/guarded-fetch/guarded-post.ts';
import { type Child, startChild } from '../faults/children.ts';
import { hasOpenssl } from '../platform/guarded-fetch/tls-server.ts';
import { copyEmbedded, openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { openAccount, openWebhooks, type Receiver, startReceiver, verified } from '../webhooks/workshop.ts';

/** So long that a delivery in progress is told from one that waits. */
const CLAIM_SECONDS = 1_000_000;

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => receiver.reset());
afterAll(() => receiver.close());

describe.runIf(hasOpenssl())('a receiver that does not take events', () => {
  let database: TestDatabase;
  let caller: Caller;
  let webhooks: Awaited<ReturnType<typeof openWebhooks>>;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.reset();
    caller = await openAccount(database);
    webhooks = await openWebhooks(database, {
      post: { ...receiver.settings, maxMs: 300 },
      claimSeconds: CLAIM_SECONDS,
    });
  });
  afterEach(() => webhooks.close());
  afterAll(() => database.close());

  const subscribe = () =>
    webhooks.create(caller, {
      url: receiver.urlOf('a'),
      events: ['branch.merged'],
      description: '',
      enabled: true,
    });
  const emit = (nth: number) =>
    database.sql`select emit_event(${caller.accountId}, 'branch.merged', ${database.sql.json({ nth })})`;
  const log = async (id: string) => (await webhooks.deliveries(caller.accountId, id, { limit: 200 })).items;

  /** Lets the time pass until all next attempts are due; how many seconds that were. */
  async function passUntilDue(): Promise<number> {
    const [row] = await database.sql`
      with next as (
        select greatest(max(next_at) - now(), interval '0') as pause from webhook_deliveries
        where status = 'waiting' and next_at < now() + interval '2 days'),
      moved as (
        update webhook_deliveries set next_at = next_at - next.pause from next
        where status = 'waiting' and next_at < now() + interval '2 days')
      select extract(epoch from pause)::float8 as seconds from next`;
    await webhooks.work();
    return Number(row?.['seconds'] ?? 0);
  }

  /** Once every delivery has had so many attempts, and none is in progress. */
  const settled = (attempts: number) =>
    expect
      .poll(async () => {
        const rows = await database.sql`
          select from webhook_deliveries
          where attempts < ${attempts} or status = 'waiting' and next_at > now() + interval '2 days'`;
        return rows.length;
      })
      .toBe(0);

  test('because it is down for an hour gets each event once it is up, signed', async () => {
    const { id, secret } = await subscribe();
    receiver.answer = (res) => res.destroy();
    for (let nth = 1; nth <= 5; nth++) await emit(nth);
    let attempts = 1;
    for (let passed = 0; passed < 3600; attempts++) {
      await settled(attempts);
      passed += await passUntilDue();
    }
    await settled(attempts);
    expect((await log(id)).map(({ status, reason }) => [status, reason])).toEqual(
      Array(5).fill(['waiting', 'unreachable']),
    );
    expect(await webhooks.get(caller.accountId, id)).toMatchObject({ status: 'failing' });
    receiver.reset();
    await passUntilDue();
    await expect
      .poll(async () => (await log(id)).map(({ status }) => status))
      .toEqual(Array(5).fill('delivered'));
    const told = receiver.heard.map((one) => verified(secret, one) as { data: { nth: number } });
    expect(told.map(({ data }) => data.nth).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(await webhooks.get(caller.accountId, id)).toMatchObject({ status: 'active', failing_since: null });
  });

  test('is asked 13 times in about three days, and the event stays in the log to be sent again', async () => {
    const { id } = await subscribe();
    receiver.answer = (res) => res.writeHead(500).end();
    await emit(1);
    let passed = 0;
    for (let attempts = 1; attempts <= 13; attempts++) {
      await settled(attempts);
      passed += await passUntilDue();
    }
    expect(passed / 3600).toBeGreaterThan(70);
    expect(passed / 3600).toBeLessThan(74);
    const [given] = await log(id);
    expect(given).toMatchObject({
      status: 'failed',
      attempts: 13,
      response_status: 500,
      next_attempt_at: null,
    });
    expect(new Set(receiver.heard.map(({ body, headers }) => body + headers['webhook-id'])).size).toBe(1);
    receiver.reset();
    await webhooks.resend(caller.accountId, id, given?.id ?? '');
    await expect.poll(() => receiver.heard.length).toBe(1);
  });

  test.each([
    ['is slow', (res: { writeHead(status: number): unknown }) => void res, { reason: 'too_slow' }],
    [
      'sends it elsewhere',
      (res: { writeHead(status: number, headers: object): { end(): unknown } }) =>
        void res.writeHead(302, { location: 'https://hooks.example.test/else' }).end(),
      { response_status: 302 },
    ],
    [
      'answers endlessly',
      (res: { writeHead(status: number): unknown; write(piece: string): unknown }) => {
        res.writeHead(500);
        res.write('x'.repeat(1024 * 1024));
      },
      { response_status: 500 },
    ],
  ])('because it %s is asked again later, and nothing else is', async (_what, answer, outcome) => {
    const { id } = await subscribe();
    receiver.answer = answer as Receiver['answer'];
    await emit(1);
    await settled(1);
    expect(await log(id)).toMatchObject([{ status: 'waiting', attempts: 1, ...outcome }]);
    expect(receiver.heard.map(({ path }) => path)).toEqual(['/a']);
    receiver.reset();
    await passUntilDue();
    await expect.poll(() => log(id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test('because its name has come to point into our network hears nothing', async () => {
    await webhooks.close();
    const inside = ['10.0.0.8', '127.0.0.1', '169.254.169.254', '::1', '64:ff9b::a00:1'];
    for (const address of inside) {
      const family = address.includes(':') ? 6 : 4;
      const lookup = async () => [
        { address: '93.184.216.34', family: 4 },
        { address, family },
      ];
      const post = createGuardedPost({ lookup })(
        'https://a.example.com/',
        { body: '', headers: {} },
        AbortSignal.timeout(2_000),
      );
      await expect(post).rejects.toMatchObject({ reason: 'not_public' });
    }
  });
});

describe.runIf(hasOpenssl())('kill -9 of a process that sends', () => {
  type Place = { readonly url: string | undefined; readonly dataDir: string; drop(): Promise<void> };
  let place: Place;
  const children: Child[] = [];

  beforeEach(async () => {
    place = testServer ? await ofServer() : await copyEmbedded();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill();
    await place.drop();
  });

  async function ofServer(): Promise<Place> {
    const { url, dataDir, close } = await openTestDatabase();
    return { url, dataDir, drop: close };
  }

  /** Opens the database for this work only: the embedded one admits a single process at a time. */
  async function within<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const { sql, close } = await openDatabase(place);
    return work(sql).finally(close);
  }

  test('loses no event and invents none: each is heard at least once, with its signature', async () => {
    const { accountId, secret } = await within(async (sql) => {
      await sql`create table changes (id integer generated always as identity primary key, is_real boolean)`;
      const caller = await openAccount({ sql });
      const webhooks = await openWebhooks({ sql }, { sending: false, post: receiver.settings });
      const settings = {
        url: receiver.urlOf('a'),
        events: ['branch.merged' as const],
        description: '',
        enabled: true,
      };
      const made = await webhooks.create(caller, settings);
      await webhooks.close();
      return { accountId: caller.accountId, secret: made.secret };
    });
    let count = 0;
    receiver.answer = (res) => {
      count++;
      if (count % 5 === 0) return void res.writeHead(500).end();
      if (count % 7 === 0) return void res.destroy();
      // Killed here, it has been heard and not recorded.
      return void setTimeout(() => res.writeHead(204).end(), count % 40);
    };
    const { port = '' } = new URL(receiver.urlOf('a'));
    const start = (way: 'change' | 'send') => {
      const child = startChild(
        ...(['webhook-worker', place.dataDir, place.url ?? '', accountId, port] as const),
        ...[receiver.settings.ca ?? '', way],
      );
      children.push(child);
      return child;
    };
    for (const at of [25, 40, 60]) {
      const doomed = start('change');
      await doomed.line((line) => line === `change ${at}`);
      await doomed.kill();
    }
    receiver.answer = (res) => void res.writeHead(204).end();
    const last = start('send');
    await last.line((line) => line === 'sent');
    expect(await last.stop()).toBe(0);
    const told = receiver.heard.map(
      (one) => verified(secret, one) as { data: { id: number; is_real: boolean } },
    );
    expect(told.filter(({ data }) => !data.is_real)).toEqual([]);
    const { changes, waiting } = await within(async (sql) => ({
      changes: (await sql`select id from changes order by id`).map(({ id }) => Number(id)),
      waiting: (await sql`select from webhook_deliveries where status <> 'delivered'`).length,
    }));
    process.stdout.write(`${changes.length} changes, ${receiver.heard.length} messages heard\n`);
    expect(changes.length).toBeGreaterThan(60);
    expect([...new Set(told.map(({ data }) => data.id))].sort((a, b) => a - b)).toEqual(changes);
    expect(waiting).toBe(0);
  });
});
