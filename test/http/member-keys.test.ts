import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Role, Scope } from '../../src/identity/caller.ts';
import * as membershipRepo from '../../src/identity/members/membership-repo.ts';
import { newId } from '../../src/platform/ids.ts';
import { newBareAccount } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { useRest } from '../support/server.ts';

const KEYS = '/api/v1/api-keys';

let app: ServedApp;
let accountId: string;
let olga: Person;
let ana: Person;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  accountId = await newBareAccount(app, 'team');
  await givePlan(app, accountId, 'enterprise');
  olga = await join('owner');
  ana = await join('admin');
});

type Person = { readonly id: string; readonly rest: ReturnType<typeof useRest> };

/** A member who is signed in. */
async function join(role: Role): Promise<Person> {
  const id = newId('usr');
  await app.database.sql`insert into users (id, auth_provider) values (${id}, 'code')`;
  await membershipRepo.insert(app.database.sql, accountId, id, role);
  const session = await app.sessions.open({ userId: id, accountId, passwordHash: null }, {});
  return { id, rest: useRest(app.url, session?.token ?? '') };
}

const makeKey = async ({ rest }: Person, scopes?: readonly Scope[]) =>
  (await rest('POST', KEYS, { body: { name: 'shop server', scopes } })).body as {
    id: string;
    key: string;
    made_by: string;
  };

const outcome = async (key: string, path = '/v1/templates', headers = {}) =>
  (await useRest(app.url, key)('GET', path, { headers })).status;

const setRole = (person: Person, role: Role) =>
  olga.rest('PATCH', `/api/v1/members/${person.id}`, { body: { role } });

test('a key tells who holds it', async () => {
  expect(await makeKey(ana)).toMatchObject({ made_by: ana.id });
});

test('when somebody leaves, their keys and their session are dead for the very next call; those of others are not', async () => {
  const [hers, other] = [await makeKey(ana), await makeKey(olga)];
  expect([await outcome(hers.key), await outcome(other.key)]).toEqual([200, 200]);
  expect((await olga.rest('DELETE', `/api/v1/members/${ana.id}`)).status).toBe(200);
  expect((await ana.rest('GET', '/v1/templates')).status).toBe(401);
  expect([await outcome(hers.key), await outcome(other.key)]).toEqual([401, 200]);
  expect((await olga.rest('GET', KEYS)).body).toMatchObject([{ id: other.id }]);
});

test('a key made while its maker was being removed does not work', async () => {
  const { key, id } = await makeKey(ana);
  await app.members.remove(
    await app.credentials.resolve((await makeKey(olga, ['members:write'])).key, {}),
    ana.id,
  );
  await app.database.sql`update api_keys set revoked_at = null where id = ${id}`;
  expect(await outcome(key)).toBe(401);
});

test('a key may do no more than who holds it may by now', async () => {
  const { key } = await makeKey(ana, ['templates:read', 'audit:read']);
  expect(await outcome(key, '/v1/audit')).toBe(200);
  await setRole(ana, 'member');
  expect([await outcome(key, '/v1/audit'), await outcome(key)]).toEqual([403, 200]);
  await setRole(ana, 'admin');
  expect(await outcome(key, '/v1/audit')).toBe(200);
});

test('who rotates a key holds it from then on', async () => {
  const { id } = await makeKey(ana);
  const { body } = await olga.rest('POST', `${KEYS}/${id}/rotate`);
  expect(body).toMatchObject({ id, made_by: olga.id });
  await olga.rest('DELETE', `/api/v1/members/${ana.id}`);
  expect(await outcome(String(body['key']))).toBe(200);
});

test('a job that waits keeps no right of a key whose holder left or has less', async () => {
  const { key } = await makeKey(ana, ['account:write']);
  const caller = await app.credentials.resolve(key, {});
  expect(caller.scopes).toContain('account:write');
  await setRole(ana, 'member');
  expect((await app.credentials.renew(caller)).scopes).not.toContain('account:write');
  await olga.rest('DELETE', `/api/v1/members/${ana.id}`);
  await expect(app.credentials.renew(caller)).rejects.toMatchObject({ key: 'unauthenticated.revoked' });
});

test('a key is of one account: a call meant for another is not made', async () => {
  const { key } = await makeKey(olga);
  expect(await outcome(key, '/v1/templates', { 'stallhand-account': accountId })).toBe(200);
  expect(await outcome(key, '/v1/templates', { 'stallhand-account': 'acc_other' })).toBe(404);
});
