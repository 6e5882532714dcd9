import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { newBareKey, startTestServer, useRest } from '../support/server.ts';
import { HERE, openPeople, signedIn } from './sign-in/open-local-sign-in.ts';

const ana = 'ana@shop.example';
const password = 'correct horse battery';

let database: TestDatabase;
let people: ReturnType<typeof openPeople>;
let app: TestApp;

beforeAll(async () => {
  database = await openTestDatabase();
  people = openPeople(database);
  app = await openTestApp();
});
afterAll(async () => {
  await people.journal.close();
  await database.close();
  await app.close();
});

const elsewhere = (number: number) => ({ ...HERE, address: `198.51.100.${number}` });

test('sign-ins and refusals are rows of the person’s account and lines of the log, with address and no secret', async () => {
  const { user } = signedIn(await people.signIn.register({ email: ana, password }, HERE));
  await people.signIn.byPassword(ana, 'a wrong password', elsewhere(1)).catch(() => {});
  await people.signIn.sendCode(ana, HERE);
  await people.signIn.byCode({ email: ana, code: '000000' }, elsewhere(1)).catch(() => {});
  await people.signIn.byPassword('nobody@shop.example', 'a wrong password', elsewhere(2)).catch(() => {});
  await people.journal.close();
  const { items } = await people.audit.list(user.account_id, { limit: 20 });
  const rows = items.map(({ action, actor, target, detail }) => ({ action, actor, target, detail }));
  expect(rows).toHaveLength(4);
  expect(rows).toEqual(
    expect.arrayContaining([
      {
        action: 'sign_in.succeeded',
        actor: user.id,
        target: user.id,
        detail: { address: '192.0.2.7', device: 'browser', method: 'password', new_device: true },
      },
      {
        action: 'sign_in.refused',
        actor: ana,
        target: user.id,
        detail: { address: '198.51.100.1', device: 'browser', method: 'password' },
      },
      expect.objectContaining({ action: 'sign_in.code_requested' }),
      expect.objectContaining({ action: 'sign_in.refused', actor: ana }),
    ]),
  );
  expect(people.lines).toContainEqual({
    event: 'sign_in.refused',
    address: '198.51.100.2',
    method: 'password',
  });
  const written = JSON.stringify([people.lines, items]);
  for (const secret of [password, 'a wrong password', '000000', 'nobody@shop.example', people.lastCode(ana)])
    expect(written).not.toContain(secret);
});

test('a flood of refusals writes twenty rows an hour and sixty lines a minute; the last of them says so', async () => {
  const { user } = signedIn(await people.signIn.register({ email: 'bob@shop.example', password }, HERE));
  people.lines.length = 0;
  people.clock.now += 60_000;
  for (let i = 0; i < 200; i++)
    people.journal.note('sign_in.refused', { email: 'bob@shop.example' }, elsewhere(i), {
      method: 'password',
    });
  await people.journal.close();
  const refused = async () =>
    (await people.audit.list(user.account_id, { limit: 100, action: 'sign_in.refused' })).items;
  const rows = await refused();
  expect(rows).toHaveLength(20);
  expect(rows.filter(({ detail }) => detail['muted_seconds'] === 3600)).toHaveLength(1);
  expect(people.lines).toHaveLength(60);
  expect(people.lines.filter((line) => 'muted_seconds' in line)).toHaveLength(1);
  people.clock.now += 3_600_000;
  people.journal.note('sign_in.refused', { email: 'bob@shop.example' }, HERE);
  await people.journal.close();
  expect(await refused()).toHaveLength(21);
});

test('a key that is wrong, or used from elsewhere, is a row of its account; another site is a line alone', async () => {
  const server = await startTestServer(app);
  const rest = useRest(server.url);
  const { key, accountId } = await newBareKey(app);
  await app.database
    .sql`update api_keys set ip_whitelist = '{203.0.113.0/24}' where account_id = ${accountId}`;
  app.keys.invalidate();
  const call = (token: string) =>
    rest('GET', '/v1/templates', { headers: { authorization: `Bearer ${token}`, 'user-agent': 'curl/8.0' } });
  expect((await call(key)).status).toBe(403);
  expect((await call('ses_unknown')).status).toBe(401);
  const foreign = await rest('GET', '/v1/templates', { headers: { origin: 'https://evil.example' } });
  expect(foreign.body).toMatchObject({ status: 403, code: 'forbidden' });
  await app.journal.close();
  const { items } = await app.audit.list(accountId, { limit: 10, action: 'api_key.refused' });
  expect(items).toMatchObject([
    {
      actor: expect.stringMatching(/^key:/),
      target: expect.stringMatching(/^key_/),
      detail: { address: '127.0.0.1', device: 'curl', reason: 'ip_not_allowed.key' },
    },
  ]);
  expect(JSON.stringify(items)).not.toContain(key);
  await server.close();
});
