import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller, Role } from '../../../src/identity/caller.ts';
import * as membershipRepo from '../../../src/identity/members/membership-repo.ts';
import { newId } from '../../../src/platform/ids.ts';
import { type MailServer, startMailServer } from '../../peers/mail-server.ts';
import { newBareAccount } from '../../support/app.ts';
import { givePlan } from '../../support/plans.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { useRest } from '../../support/server.ts';

const BEA = 'bea@shop.example';

let mail: MailServer;
let app: ServedApp;
let accountId: string;
let olga: Person;
let bea: Person;
let counter = 0;

beforeAll(async () => {
  mail = await startMailServer();
  app = await openServedApp({ SMTP_URL: mail.url, MAIL_FROM: 'Stallhand <no-reply@shop.example>' });
});
afterAll(async () => {
  await app.close();
  await mail.close();
});
beforeEach(async () => {
  accountId = await newBareAccount(app, 'Bakery Sol');
  await givePlan(app, accountId, 'enterprise');
  olga = await join('owner', accountId, `olga${counter++}@shop.example`);
  await app.database.sql`delete from invitation_mails`;
  await app.database.sql`delete from invitations`;
  await app.database.sql`delete from users where email = ${BEA}`;
  bea = await join('owner', await newBareAccount(app, 'Florist'), BEA);
});

type Person = { readonly id: string; readonly rest: ReturnType<typeof useRest> };

/** Someone with a verified address, who has just signed in. */
async function join(role: Role, account: string, email: string): Promise<Person> {
  const id = newId('usr');
  await app.database.sql`
    insert into users (id, email, email_verified, name, auth_provider) values (${id}, ${email}, true, 'x', 'code')`;
  await membershipRepo.insert(app.database.sql, account, id, role);
  const session = await app.sessions.open({ userId: id, accountId: account, passwordHash: null }, {});
  return { id, rest: useRest(app.url, session?.token ?? '') };
}

const invite = (email: string, role: string, headers = {}) =>
  olga.rest('POST', '/api/v1/members', { body: { email, role }, headers });

/** The text of the last mail to an address, with its soft line breaks removed. */
function lastMail(to: string): string {
  const raw = mail.mails.findLast((one) => one.to.includes(to))?.raw ?? '';
  return raw.replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('\r\n', '\n');
}

const tokenIn = (text: string) => /\/invitations\/(ivt_[\w-]{43})/.exec(text)?.[1] ?? '';

const anyone = (method: string, path: string) => useRest(app.url)(method, path);

const statusIn = async (person: Person) =>
  (await person.rest('GET', '/api/v1/members', { headers: { 'stallhand-account': accountId } })).status;

test('an invitation is an email with account, inviter, role and a link; the link shows it, and accepting joins', async () => {
  const invited = await invite(BEA, 'viewer');
  expect([invited.status, invited.body]).toEqual([
    201,
    expect.objectContaining({ status: 'invited', email: BEA, role: 'viewer', mail_sent: true, warnings: [] }),
  ]);
  const text = lastMail(BEA);
  expect(text).toMatch(/^Subject: olga\d+@shop.example invites you to Bakery Sol on Stallhand$/m);
  expect(text).toMatch(/invites you to the account Bakery Sol on Stallhand, as viewer\./);
  expect(text).toContain(`${app.url}/invitations/ivt_`);
  const path = `/api/v1/invitations/${tokenIn(text)}`;
  const shown = await anyone('GET', path);
  expect(shown.headers.get('cache-control')).toBe('no-store');
  expect([shown.status, shown.body]).toEqual([
    200,
    {
      id: invited.body['id'],
      email: BEA,
      role: 'viewer',
      invited_by: expect.stringMatching(/^olga/),
      expires_at: invited.body['expires_at'],
      account: { id: accountId, name: 'Bakery Sol' },
    },
  ]);
  expect(await statusIn(bea)).toBe(404);
  expect((await anyone('POST', `${path}/accept`)).status).toBe(401);
  expect((await bea.rest('POST', `${path}/accept`)).status).toBe(200);
  expect(await statusIn(bea)).toBe(200);
  // The link works once.
  expect((await bea.rest('POST', `${path}/accept`)).body).toMatchObject({ status: 404, code: 'not_found' });
  expect((await anyone('GET', path)).status).toBe(404);
});

test('the database holds no token', async () => {
  await invite(BEA, 'member');
  const token = tokenIn(lastMail(BEA));
  const rows = await app.database.sql`select * from invitations where account_id = ${accountId}`;
  expect(token).toHaveLength(47);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('the email is in the language of the inviter', async () => {
  await invite(BEA, 'admin', { 'accept-language': 'es' });
  expect(lastMail(BEA)).toContain('te invita a la cuenta Bakery Sol en Stallhand, como administrador.');
  await app.database.sql`update users set language = 'en' where id = ${olga.id}`;
  await invite(BEA, 'admin', { 'accept-language': 'es' });
  expect(lastMail(BEA)).toContain('invites you to the account Bakery Sol on Stallhand, as admin.');
});

test('a stolen link lets no one else in, and an unverified address does not count', async () => {
  await invite(BEA, 'admin');
  const token = tokenIn(lastMail(BEA));
  const eve = await join('owner', await newBareAccount(app, 'Eve'), `eve${counter++}@shop.example`);
  expect((await eve.rest('POST', `/api/v1/invitations/${token}/accept`)).body).toMatchObject({
    status: 403,
    code: 'forbidden',
    detail: expect.stringContaining(BEA),
  });
  await app.database.sql`update users set email_verified = false where id = ${bea.id}`;
  expect((await bea.rest('POST', `/api/v1/invitations/${token}/accept`)).status).toBe(403);
  // By its ID, another person's invitation is one that does not exist.
  const { body } = await olga.rest('GET', '/api/v1/members');
  const { id } = (body['items'] as { id: string; status: string }[]).find(
    ({ status }) => status === 'invited',
  ) ?? { id: '' };
  expect((await eve.rest('POST', `/api/v1/invitations/${id}/accept`)).status).toBe(404);
  expect((await anyone('GET', `/api/v1/invitations/${id}`)).status).toBe(404);
  expect((await anyone('POST', `/api/v1/invitations/${id}/decline`)).status).toBe(404);
});

test('an API key joins nothing', async () => {
  const { key } = await app.keys.create(accountId, 'k', ['account:read'], null);
  await invite(BEA, 'admin');
  const path = `/api/v1/invitations/${tokenIn(lastMail(BEA))}/accept`;
  expect((await useRest(app.url, key)('POST', path)).body).toMatchObject({ status: 403, code: 'forbidden' });
});

test('declining needs no sign-in with the link, and ends the invitation', async () => {
  await invite(BEA, 'member');
  const path = `/api/v1/invitations/${tokenIn(lastMail(BEA))}`;
  expect((await anyone('POST', `${path}/decline`)).body).toEqual({ declined: true });
  expect((await anyone('GET', path)).status).toBe(404);
  expect((await bea.rest('POST', `${path}/accept`)).status).toBe(404);
});

test('inviting again sends a new link and ends the old one; a fourth email in an hour is refused', async () => {
  await invite(BEA, 'member');
  const old = tokenIn(lastMail(BEA));
  await invite(BEA, 'admin');
  const fresh = tokenIn(lastMail(BEA));
  expect(fresh).not.toBe(old);
  expect((await anyone('GET', `/api/v1/invitations/${old}`)).status).toBe(404);
  expect((await anyone('GET', `/api/v1/invitations/${fresh}`)).body).toMatchObject({ role: 'admin' });
  expect((await invite(BEA, 'admin')).status).toBe(201);
  const refused = await invite(BEA, 'admin');
  expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    '3600',
  ]);
});

test('names in an email are one line, whatever the account is called', async () => {
  const name = `Win\r\nBcc: all@shop.example\u2028${'x'.repeat(300)}`;
  await app.database.sql`update accounts set name = ${name} where id = ${accountId}`;
  await invite(BEA, 'member');
  const sent = mail.mails.findLast((one) => one.to.includes(BEA));
  expect(sent?.to).toEqual([BEA]);
  expect(sent?.raw).not.toMatch(/^Bcc:/im);
  expect(sent?.raw.replaceAll('=\r\n', '')).not.toContain('x'.repeat(100));
});

test('an email that is not sent is a warning: the invitation stands, and waits in the list of accounts', async () => {
  mail.refuse();
  const { status, body } = await invite(BEA, 'member');
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({
      mail_sent: false,
      warnings: [{ code: 'invitation_failed', message: expect.stringContaining('Invite again') }],
    }),
  ]);
  const accounts = await bea.rest('GET', '/api/v1/user/accounts');
  expect(accounts.body).toEqual({
    items: [
      {
        id: expect.any(String),
        name: 'Florist',
        role: 'owner',
        plan: 'free',
        current: true,
        status: 'active',
      },
    ],
    invitations: [
      {
        id: body['id'],
        email: BEA,
        role: 'member',
        invited_by: expect.stringMatching(/^olga/),
        expires_at: body['expires_at'],
        account: { id: accountId, name: 'Bakery Sol' },
      },
    ],
  });
  expect((await bea.rest('POST', `/api/v1/invitations/${body['id']}/accept`)).status).toBe(200);
  const headers = { 'stallhand-account': accountId };
  expect((await bea.rest('GET', '/api/v1/user/accounts', { headers })).body).toMatchObject({
    items: [
      { name: 'Florist', role: 'owner', current: false },
      { id: accountId, role: 'member', plan: 'enterprise', current: true },
    ],
    invitations: [],
  });
});

test('without SMTP the answer says that no email was sent', async () => {
  const plain = await openServedApp();
  const account = await newBareAccount(plain, 'Bakery');
  await givePlan(plain, account, 'enterprise');
  const caller: Caller = { accountId: account, actor: 'key:x', scopes: ['members:write'], via: 'api_key' };
  const place = { baseUrl: plain.url, locale: 'en' } as const;
  expect(await plain.members.invite(caller, { email: BEA, role: 'member' }, place)).toMatchObject({
    mail_sent: false,
    warnings: [{ key: 'invitation_unsent', params: { email: BEA } }],
  });
  await plain.close();
});
