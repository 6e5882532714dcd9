import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoogleConsentPeer, startGoogleConsentPeer } from '../peers/google-consent.ts';
import { newVisitor } from '../support/consent-visits.ts';
import { newPerson, type Person, WIDE_LIMITS } from '../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { useRest } from '../support/server.ts';

const redirectUris: string[] = [];
let google: GoogleConsentPeer;
let app: ServedApp;

beforeAll(async () => {
  google = await startGoogleConsentPeer({ clientId: 'client-1', clientSecret: 'secret-1', redirectUris });
  app = await openServedApp({
    RATE_LIMITS: WIDE_LIMITS,
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    GOOGLE_BASE_URL: google.url,
    GOOGLE_CLIENT_ID: 'client-1',
    GOOGLE_CLIENT_SECRET: 'secret-1',
  });
  redirectUris.push(`${app.url}/connect/google/callback`);
  google.emulator.book('stock-book', {
    title: 'Stock',
    tabs: [{ title: 'Hoja 1', rows: [['SKU', 'Stock']] }],
  });
  google.files.set('Stock', 'stock-book');
});
afterAll(async () => {
  await app.close();
  await google.close();
});

/** A person with an account here, who connects a spreadsheet of this Google account. */
async function connected(name: string, user: string): Promise<Person> {
  google.state.user = user;
  const person = await newPerson(app.url, name);
  const { body } = await useRest(app.url, person.token)('POST', '/sync/connect/google', { body: {} });
  const visitor = newVisitor(app.url, google.url);
  const page = await visitor.begin(String(body['url']), person);
  const done = await visitor.arrive(await visitor.decide(page, 'allow', { file: 'stock-book' }));
  expect([done.status, google.hasAccess(user)]).toEqual([200, true]);
  return person;
}

/** The account was deleted 15 days ago: it goes for good. */
async function purge({ email }: Person): Promise<void> {
  await app.database.sql`
    update accounts a set deleted_at = now() - interval '15 days'
    from memberships m, users u where m.account_id = a.id and u.id = m.user_id and u.email = ${email}`;
  await app.accountDeletion.purge();
  expect(await app.database.sql`select from users where email = ${email}`).toEqual([]);
}

const left = () => app.database.sql`select id from sync_left_grants`;

test('the access of an account that goes for good is revoked at Google', async () => {
  await purge(await connected('ana', 'ana@gmail.test'));
  expect([google.hasAccess('ana@gmail.test'), await left()]).toEqual([false, []]);
});

test('what Google does not revoke then is revoked within the hour', async () => {
  const ben = await connected('ben', 'ben@gmail.test');
  google.state.down = true;
  await purge(ben);
  google.state.down = false;
  expect([google.hasAccess('ben@gmail.test'), await left()]).toEqual([true, [expect.anything()]]);
  await app.sync.sweep();
  expect([google.hasAccess('ben@gmail.test'), await left()]).toEqual([false, []]);
});

test('access that another account here has from the same Google account stays until that one goes', async () => {
  const first = await connected('cleo', 'shared@gmail.test');
  const second = await connected('dora', 'shared@gmail.test');
  await purge(first);
  expect([google.hasAccess('shared@gmail.test'), await left()]).toEqual([true, []]);
  await purge(second);
  expect([google.hasAccess('shared@gmail.test'), await left()]).toEqual([false, []]);
});
