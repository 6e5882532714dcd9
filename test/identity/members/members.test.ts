import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller, Role } from '../../../src/identity/caller.ts';
import * as membershipRepo from '../../../src/identity/members/membership-repo.ts';
import { scopesOf } from '../../../src/identity/members/roles.ts';
import { newId } from '../../../src/platform/ids.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';
import { givePlan } from '../../support/plans.ts';

let app: TestApp;
let accountId: string;
let owner: Caller;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ accountId } = await newBareCaller(app, 'Bakery'));
  await givePlan(app, accountId, 'enterprise');
  owner = await join('olga', 'owner');
  call = useTools(app, owner);
});

/** A person who is a member already. */
async function join(name: string, role: Role): Promise<Caller> {
  const userId = await person(name);
  await membershipRepo.insert(app.database.sql, accountId, userId, role);
  return { accountId, actor: name, scopes: scopesOf(role), via: 'session', fresh: true, userId };
}

async function person(name: string): Promise<string> {
  const id = newId('usr');
  await app.database.sql`
    insert into users (id, email, email_verified, name, auth_provider)
    values (${id}, ${`${name}-${id}@example.com`}, true, ${name}, 'code')`;
  return id;
}

/** What a person, by name, does with the invitation to their address. */
async function answer(name: string, id: string, email: string, deed: 'accept' | 'decline'): Promise<void> {
  await app.database.sql`update users set email = null where email = ${email}`;
  await app.database.sql`update users set email = ${email} where id = ${id}`;
  const person: Caller = { accountId, actor: name, scopes: [], via: 'session', userId: id };
  const [invitation] = await app.invitations.listOf(person);
  await app.invitations[deed](person, invitation?.id ?? 'inv_none');
}

const rolesOf = async () =>
  Object.fromEntries((await app.members.list(accountId)).map(({ name, role }) => [name, role]));

const idOf = (caller: Caller) => caller.userId ?? '';

test('an invitation waits until a person with that verified address accepts it', async () => {
  const invited = await call('invite_member', { email: 'Ana@Example.com', role: 'admin' });
  expect(invited).toMatchObject({ status: 'invited', email: 'ana@example.com', role: 'admin', name: '' });
  const id = await person('ana');
  await expect(answer('ana', id, 'other@example.com', 'accept')).rejects.toMatchObject({
    key: 'not_found.invitation',
  });
  await app.database.sql`update users set email_verified = false where id = ${id}`;
  await expect(answer('ana', id, 'ana@example.com', 'accept')).rejects.toMatchObject({
    key: 'not_found.invitation',
  });
  expect(await rolesOf()).toEqual({ olga: 'owner', '': 'admin' });
  await app.database.sql`update users set email_verified = true where id = ${id}`;
  await answer('ana', id, 'ana@example.com', 'accept');
  expect(await rolesOf()).toEqual({ olga: 'owner', ana: 'admin' });
  expect((await app.audit.list(accountId, { limit: 2 })).items).toMatchObject([
    { action: 'member.joined', target: 'ana@example.com', to: 'admin' },
    { action: 'member.invited', target: 'ana@example.com', to: 'admin', actor: 'olga' },
  ]);
});

test('an invitation that is declined is gone, and the account sees by whom', async () => {
  await call('invite_member', { email: 'bea@example.com', role: 'viewer' });
  const id = await person('bea');
  await answer('bea', id, 'bea@example.com', 'decline');
  expect(await rolesOf()).toEqual({ olga: 'owner' });
  await expect(answer('bea', id, 'bea@example.com', 'accept')).rejects.toMatchObject({
    key: 'not_found.invitation',
  });
  expect((await app.audit.list(accountId, { limit: 1 })).items).toMatchObject([
    { action: 'member.declined', target: 'bea@example.com', from: 'viewer' },
  ]);
});

test('inviting again changes the role; an invitation can be changed and taken back', async () => {
  const { id } = await call('invite_member', { email: 'ana@example.com' });
  expect(await call('invite_member', { email: 'ana@example.com', role: 'admin' })).toMatchObject({
    id,
    role: 'admin',
  });
  expect(await call('update_member', { id, role: 'member' })).toMatchObject({ id, role: 'member' });
  await expect(call('update_member', { id, role: 'owner' })).rejects.toMatchObject({
    key: 'conflict.invited_owner',
  });
  expect(await call('remove_member', { id })).toEqual({ deleted: true });
  await expect(answer('ana', await person('ana'), 'ana@example.com', 'accept')).rejects.toMatchObject({
    key: 'not_found.invitation',
  });
  expect(await rolesOf()).toEqual({ olga: 'owner' });
});

test('an invitation that is over is neither shown nor accepted', async () => {
  await call('invite_member', { email: 'ana@example.com' });
  await app.database
    .sql`update invitations set expires_at = now() - interval '1 second' where account_id = ${accountId}`;
  expect(await rolesOf()).toEqual({ olga: 'owner' });
  await expect(answer('ana', await person('ana'), 'ana@example.com', 'accept')).rejects.toMatchObject({
    key: 'not_found.invitation',
  });
  expect(await rolesOf()).toEqual({ olga: 'owner' });
});

test('a member is not invited again, nor is anyone without the plan', async () => {
  const [{ email } = { email: null }] = await app.members.list(accountId);
  await expect(call('invite_member', { email })).rejects.toMatchObject({ key: 'conflict.already_member' });
  await givePlan(app, accountId, 'pro');
  await expect(call('invite_member', { email: 'ana@example.com' })).rejects.toMatchObject({
    code: 'plan_required',
  });
  expect((await call('list_members'))['items']).toHaveLength(1);
});

test('an account takes two hundred members and invitations, and no more', async () => {
  await app.database.sql`
    insert into invitations (id, account_id, email, role, invited_by, expires_at)
    select ${`inv_${accountId}_`} || n, ${accountId}, 'guest' || n || '@example.com', 'member', 'olga',
      now() + interval '1 day'
    from generate_series(1, 199) n`;
  await expect(call('invite_member', { email: 'ana@example.com' })).rejects.toMatchObject({
    key: 'plan_limit.members',
    params: { limit: 200 },
  });
  expect(await call('invite_member', { email: 'guest7@example.com', role: 'admin' })).toMatchObject({
    role: 'admin',
  });
});

test('the last owner can be neither removed nor demoted, also when two owners try at once', async () => {
  const second = await join('otto', 'owner');
  await expect(call('update_member', { id: 'usr_nobody', role: 'member' })).rejects.toMatchObject({
    key: 'not_found.member',
  });
  const outcomes = await Promise.allSettled([
    app.members.remove(owner, idOf(owner)),
    app.members.update(second, idOf(second), 'member'),
    app.members.update(owner, idOf(second), 'admin'),
    app.members.remove(second, idOf(owner)),
  ]);
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
  const owners = Object.values(await rolesOf()).filter((role) => role === 'owner');
  expect(owners).toHaveLength(1);
  const [last] = (await app.members.list(accountId)).filter(({ role }) => role === 'owner');
  const left: Caller = { ...owner, userId: last?.id ?? '' };
  await expect(app.members.remove(left, left.userId ?? '')).rejects.toMatchObject({
    key: 'conflict.last_owner',
  });
  await expect(app.members.update(left, left.userId ?? '', 'admin')).rejects.toMatchObject({
    key: 'conflict.last_owner',
  });
});

test.each<[Role, string, Role | 'remove', string]>([
  ['admin', 'member', 'admin', 'done'],
  ['admin', 'member', 'remove', 'done'],
  ['admin', 'member', 'owner', 'forbidden.owners'],
  ['admin', 'olga', 'remove', 'forbidden.owners'],
  ['admin', 'olga', 'member', 'forbidden.owners'],
  ['member', 'other', 'admin', 'forbidden.admins'],
  ['member', 'other', 'remove', 'forbidden.admins'],
  ['member', 'self', 'remove', 'done'],
  ['member', 'self', 'owner', 'forbidden.admins'],
])('%s does to %s: %s → %s', async (role, whom, deed, outcome) => {
  const actor = await join('actor', role);
  const target = whom === 'olga' ? owner : whom === 'self' ? actor : await join('target', 'member');
  const done =
    deed === 'remove'
      ? app.members.remove(actor, idOf(target))
      : app.members.update(actor, idOf(target), deed);
  expect(
    await done.then(
      () => 'done',
      (error: { key?: string }) => error.key,
    ),
  ).toBe(outcome);
});

test('a member whose role does not reach is told so by the tool too', async () => {
  const member = useTools(app, await join('mia', 'member'));
  await expect(member('invite_member', { email: 'x@example.com' })).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
});

test('who is removed loses the account at once, with every session in it', async () => {
  const ana = await join('ana', 'member');
  await app.database.sql`
    insert into sessions (id, token_sha256, user_id, account_id, expires_at)
    values (${newId('ses')}, ${newId('hash')}, ${idOf(ana)}, ${accountId}, now() + interval '1 day')`;
  await call('remove_member', { id: idOf(ana) });
  expect(await app.database.sql`select id from sessions where user_id = ${idOf(ana)}`).toHaveLength(0);
  await expect(app.profiles.get(ana)).rejects.toMatchObject({ key: 'not_found.account' });
  expect((await app.audit.list(accountId, { limit: 1 })).items).toMatchObject([
    { action: 'member.removed', from: 'member', actor: 'olga' },
  ]);
});

test('an owner with an unverified address can invite no one, so that its real owner finds no stranger there', async () => {
  await app.database.sql`update users set email_verified = false where id = ${idOf(owner)}`;
  const refused = { key: 'forbidden.unproved' };
  await expect(call('invite_member', { email: 'mallory@example.com' })).rejects.toMatchObject(refused);
  const byKey = useTools(app, { accountId, actor: 'key:x', scopes: owner.scopes, via: 'api_key' });
  await expect(byKey('invite_member', { email: 'mallory@example.com' })).rejects.toMatchObject(refused);
  await app.database.sql`update users set email_verified = true where id = ${idOf(owner)}`;
  expect(await call('invite_member', { email: 'ana@example.com' })).toMatchObject({ status: 'invited' });
});
