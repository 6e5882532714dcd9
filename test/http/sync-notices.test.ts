import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as membershipRepo from '../../src/identity/members/membership-repo.ts';
import { newId } from '../../src/platform/ids.ts';
import { type MailServer, startMailServer } from '../peers/mail-server.ts';
import { HEADER, openPairs, type Pair, type Pairs, shelf, stocked } from '../support/sync-pairs.ts';

let mails: MailServer;
let pairs: Pairs;
let pair: Pair;
let config: string;
let owner: string;

beforeAll(async () => {
  mails = await startMailServer();
  pairs = await openPairs({ SMTP_URL: mails.url, MAIL_FROM: 'shop@example.com' });
});
afterAll(async () => {
  await pairs.close();
  await mails.close();
});
beforeEach(async () => {
  const stock = shelf(10);
  pair = await pairs.open({
    ...{ products: stocked(stock), rows: [HEADER, ...Object.entries(stock)], plan: 'pro' },
  });
  config = await pair.config({ direction: 'sheet_to_store', schedule: { every_minutes: 15 } });
  owner = `${newId('ana').slice(4)}@example.com`;
  const { sql } = pairs.app.database;
  const userId = newId('usr');
  await sql`
    insert into users (id, email, email_verified, auth_provider, language)
    values (${userId}, ${owner}, true, 'code', 'es')`;
  await membershipRepo.insert(sql, pair.accountId, userId, 'owner');
  await sql`
    insert into webhooks (id, account_id, url, secret_nonce, events)
    values (${newId('whk')}, ${pair.accountId}, 'https://nobody.example', 'nonce', '{sync.run.finished}')`;
});

type ShownRun = { id: string; status: string };
const runs = async () =>
  (await pair.rest('GET', `/sync/history?config_id=${config}`)).body['items'] as ShownRun[];
/** Without the breaks of quoted-printable. */
const mailsToOwner = () =>
  mails.mails.filter(({ to }) => to.includes(owner)).map(({ raw }) => raw.replaceAll('=\r\n', ''));
const events = async () =>
  (
    await pairs.app.database.sql`
    select data ->> 'status' as status from webhook_deliveries where account_id = ${pair.accountId} order by seq`
  ).map(({ status }) => String(status));
const storeStatus = async () => {
  const { body } = await pair.rest('GET', '/sync/stores');
  // A list is a plain array.
  return (body as unknown as { status: string }[])[0]?.status;
};

/** Runs it as if its time had come; the run, once it has ended or waits. */
async function tick(): Promise<ShownRun | undefined> {
  const before = (await runs()).length;
  await pairs.app.database.sql`update sync_configs set next_at = now() where id = ${config}`;
  const begun = async () => {
    // Passes over a configuration in which the end of the run before is still being written.
    await pairs.app.sync.work();
    return (await runs()).length;
  };
  await expect.poll(begun).toBe(before + 1);
  const [run] = await runs();
  if (!run) return undefined;
  return pairs.app.sync.runs.wait(pair.accountId, run.id, AbortSignal.timeout(20_000), 20_000);
}

/** Empties so many shelves in the sheet that a person is to confirm it. */
function emptyShelves(): void {
  for (let row = 2; row <= 9; row++) pair.book.type('Sheet1', `B${row}`, 0);
}

test('a held run is told once, by mail in the owner’s language and to webhooks, and only its last plan waits', async () => {
  emptyShelves();
  const held = await tick();
  expect(held?.status).toBe('awaiting_confirmation');
  await expect.poll(() => mailsToOwner().length).toBe(1);
  expect(mailsToOwner()[0]).toContain(`http://127.0.0.1:8080/runs/plan/${held?.id}`);
  expect(mailsToOwner()[0]).not.toMatch(/GET|POST/);
  expect(mailsToOwner()[0]).toMatch(/Espera tu confirmaci/);
  await tick();
  await tick();
  // The plan before is canceled right after the new one waits.
  await expect
    .poll(async () => (await runs()).map(({ status }) => status))
    .toEqual(['awaiting_confirmation', 'canceled', 'canceled']);
  expect([mailsToOwner().length, await events()]).toEqual([1, ['awaiting_confirmation']]);
  const [last] = await runs();
  const confirmed = await pair.run({ confirm: last?.id });
  expect(confirmed.body).toMatchObject({ status: 'succeeded', changed: 8 });
});

test('a run that works begins the telling again', async () => {
  emptyShelves();
  await tick();
  for (let row = 2; row <= 9; row++) pair.book.type('Sheet1', `B${row}`, 5);
  expect((await tick())?.status).toBe('succeeded');
  expect((await runs()).map(({ status }) => status)).toEqual(['succeeded', 'canceled']);
  await expect
    .poll(async () => pairs.app.database.sql`select notice from sync_configs where id = ${config}`)
    .toEqual([{ notice: null }]);
  emptyShelves();
  await tick();
  await expect.poll(() => mailsToOwner().length).toBe(2);
});

test('a failed run is told once, with its cause', async () => {
  pair.book.type('Sheet1', 'B1', 'Something else');
  await tick();
  await tick();
  await expect.poll(() => mailsToOwner().length).toBe(1);
  expect(mailsToOwner()[0]).toMatch(/fall=C3=B3|falló/);
  expect(await events()).toEqual(['failed', 'failed']);
});

test('a store that has to be connected again is told once, and a run that works connects it', async () => {
  pair.shop.setMood('forbidden');
  expect((await tick())?.status).toBe('failed');
  await expect.poll(() => mailsToOwner().length).toBe(1);
  expect(mailsToOwner()[0]).toMatch(/en pausa/);
  expect(await storeStatus()).toBe('reconnect_required');
  pair.shop.setMood('well');
  expect((await pair.run({ config_id: config })).body).toMatchObject({ status: 'succeeded' });
  await expect.poll(storeStatus).toBe('connected');
  expect((await tick())?.status).toBe('succeeded');
  expect(mailsToOwner()).toHaveLength(1);
});
