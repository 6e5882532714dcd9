import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

let app: TestApp;
let owner: Caller;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  owner = await newBareCaller(app, 'ana');
  call = useTools(app, owner);
  await call('create_template', { name: 'hello', html: '<p>{{name}}</p>' });
});
afterAll(() => app.close());

const update = (change: object) => call('update_template', { name: 'hello', ...change });
const promote = (input: object) => call('promote_template', { template: 'hello', ...input });
const protect = (input: object) => call('protect_environment', { environment: 'production', ...input });
const shown = async () => (await call('get_template', { name: 'hello' }))['environments'];

test('staging takes the head of main, production what staging shows', async () => {
  await update({ subject: 'Hi' });
  expect(await promote({ to: 'staging', note: 'For review' })).toEqual({
    template: 'hello',
    environment: 'staging',
    version: 'v1.0.1',
    previous: 'v1.0.0',
    status: 'promoted',
    id: expect.stringMatching(/^pev_/),
    approvals: 0,
    approvals_required: 0,
    checks: [
      { check: 'contract', passed: true, findings: [] },
      { check: 'fixtures', passed: true, findings: [] },
      { check: 'lint', passed: true, findings: [] },
    ],
  });
  expect(await shown()).toEqual({ staging: 'v1.0.1', production: 'v1.0.0' });
  expect(await promote({ to: 'production' })).toMatchObject({ version: 'v1.0.1', status: 'promoted' });
  expect(await shown()).toEqual({ staging: 'v1.0.1', production: 'v1.0.1' });
});

test('promoting what is shown already changes nothing', async () => {
  expect(await promote({ to: 'production', version: 'v1.0' })).toMatchObject({ status: 'unchanged' });
  const { items } = await call('list_environment_history', { template: 'hello', environment: 'production' });
  expect(items).toHaveLength(1);
});

test.each([
  ['a variable became required', '<p>{{name}} {{coupon}}</p>', 'callers must now send coupon'],
  ['a variable changed its type', '<p>{{#each name}}x{{/each}}</p>', 'name now has another type'],
])('a version is refused when %s', async (_case, html, change) => {
  await update({ html });
  await expect(promote({ to: 'staging' })).rejects.toMatchObject({
    code: 'breaking_change',
    params: { changes: change },
  });
  expect(await promote({ to: 'staging', force: true })).toMatchObject({ status: 'promoted' });
  const { items } = await call('list_environment_history', { template: 'hello', environment: 'staging' });
  expect((items as { forced: boolean }[]).map(({ forced }) => forced)).toEqual([true, false]);
});

test('a version is refused when a variable lost its fallback', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string', default: 'friend' } } };
  await update({ schema });
  await promote({ to: 'production', from: 'main' });
  await update({ schema: {} });
  await expect(promote({ to: 'production', from: 'main' })).rejects.toMatchObject({
    code: 'breaking_change',
  });
});

test('a version whose fixtures fail is refused', async () => {
  await update({ html: '<p>{{name}}{{#if coupon}} {{coupon}}{{/if}}</p>' });
  await call('save_fixture', { template: 'hello', fixture: 'nameless', data: {} });
  await expect(promote({ to: 'staging' })).rejects.toMatchObject({
    key: 'conflict.fixtures',
    params: { changes: 'nameless lacks name' },
  });
});

test('a version with lint errors is refused, unless forced; warnings pass', async () => {
  await update({ html: '<p>{{name}}</p>\n<a href="nowhere.example">Shop</a><form></form>' });
  await expect(promote({ to: 'staging' })).rejects.toMatchObject({
    key: 'conflict.lint',
    params: { changes: "line 2: The link 'nowhere.example' does not work in an email (link-broken)" },
    data: {
      checks: [
        { check: 'contract', passed: true, findings: [] },
        { check: 'fixtures', passed: true, findings: [] },
        {
          check: 'lint',
          passed: false,
          findings: ["line 2: The link 'nowhere.example' does not work in an email (link-broken)"],
        },
      ],
    },
  });
  expect(await promote({ to: 'staging', force: true })).toMatchObject({ status: 'promoted' });
});

test('findings are in the language of the caller', async () => {
  const spanish = useTools(app, owner, { locale: 'es' });
  await call('save_fixture', { template: 'hello', fixture: 'nameless', data: {} });
  await update({ html: '<p>{{name}} {{coupon}}</p>\n<a href="nowhere.example">Shop</a>' });
  expect(await spanish('promote_template', { template: 'hello', to: 'staging', force: true })).toMatchObject({
    checks: [
      { check: 'contract', findings: ['ahora hay que enviar coupon'] },
      { check: 'fixtures', findings: ['a nameless le falta name, coupon'] },
      {
        check: 'lint',
        findings: ['línea 2: El enlace «nowhere.example» no funciona en un correo (link-broken)'],
      },
    ],
  });
});

test('links made of variables are linted with the fixture named sample', async () => {
  await update({ html: '<p>{{name}}</p><a href="{{link}}">Shop</a>' });
  const save = (link: string) =>
    call('save_fixture', { template: 'hello', fixture: 'sample', data: { name: 'Ana', link } });
  await save('nowhere.example');
  const forced = { from: 'main', force: true };
  expect(await promote({ to: 'staging', ...forced })).toMatchObject({
    checks: [
      {},
      {},
      {
        check: 'lint',
        passed: false,
        findings: ["line 1: The link 'nowhere.example' does not work in an email (link-broken)"],
      },
    ],
  });
  await save('https://shop.example');
  expect(await promote({ to: 'production', ...forced })).toMatchObject({
    checks: [{}, {}, { check: 'lint', passed: true, findings: [] }],
  });
});

test('an environment may demand that another shows the version first', async () => {
  await protect({ require_from: 'staging' });
  await update({ subject: 'Hi' });
  await expect(promote({ to: 'production', from: 'main' })).rejects.toMatchObject({
    key: 'conflict.require_from',
  });
  await promote({ to: 'staging' });
  expect(await promote({ to: 'production' })).toMatchObject({ status: 'promoted' });
  expect(await protect({ require_from: 'none' })).toEqual({
    name: 'production',
    approvals: 0,
    freeze: false,
  });
  await expect(protect({ require_from: 'production' })).rejects.toMatchObject({
    key: 'validation_failed.require_from',
  });
});

test('an environment may demand that several people promote the same version', async () => {
  await protect({ approvals: 2 });
  await update({ subject: 'Hi' });
  const toProduction = { to: 'production', from: 'main' };
  expect(await promote(toProduction)).toMatchObject({
    status: 'awaiting_approval',
    approvals: 1,
    approvals_required: 2,
  });
  expect(await promote(toProduction)).toMatchObject({ status: 'awaiting_approval', approvals: 1 });
  expect(await shown()).toMatchObject({ production: 'v1.0.0' });
  const bo = useTools(app, { ...owner, actor: 'bo' });
  expect(await bo('promote_template', { template: 'hello', ...toProduction })).toMatchObject({
    status: 'promoted',
    approvals: 2,
  });
  expect(await shown()).toMatchObject({ production: 'v1.0.1' });
});

test('a frozen environment takes nothing, force or not', async () => {
  await protect({ freeze: true });
  await update({ subject: 'Hi' });
  await expect(promote({ to: 'production', from: 'main', force: true })).rejects.toMatchObject({
    key: 'forbidden.frozen',
  });
  await protect({ freeze: false });
  expect(await promote({ to: 'production', from: 'main' })).toMatchObject({ status: 'promoted' });
});

test('an environment rolls back to what it showed before, or to a named version, at once', async () => {
  await update({ subject: '1' });
  await update({ subject: '2' });
  await promote({ to: 'production', from: 'main' });
  const rollback = (input: object) =>
    call('rollback_template', { template: 'hello', environment: 'production', ...input });
  expect(await rollback({ message: 'Wrong price' })).toMatchObject({
    environment: 'production',
    version: 'v1.0.0',
    previous: 'v1.0.2',
  });
  await expect(rollback({ to: 'v1.0.1' })).rejects.toMatchObject({ key: 'conflict.never_shown' });
  expect(await rollback({ to: 'v1.0.2' })).toMatchObject({ version: 'v1.0.2', previous: 'v1.0.0' });
  await expect(rollback({ to: 'v1.0.2' })).rejects.toMatchObject({ key: 'conflict.already_there' });
  const { items } = await call('list_environment_history', { template: 'hello', environment: 'production' });
  const told = (items as Record<string, unknown>[]).map(({ version, previous, action, note, actor }) => ({
    version,
    previous,
    action,
    note,
    actor,
  }));
  expect(told).toEqual([
    { version: 'v1.0.2', previous: 'v1.0.0', action: 'rolled_back', note: '', actor: 'ana' },
    { version: 'v1.0.0', previous: 'v1.0.2', action: 'rolled_back', note: 'Wrong price', actor: 'ana' },
    { version: 'v1.0.2', previous: 'v1.0.0', action: 'promoted', note: '', actor: 'ana' },
    { version: 'v1.0.0', previous: undefined, action: 'created', note: '', actor: 'ana' },
  ]);
});

test('an environment that has shown one version only has nothing to go back to', async () => {
  await expect(
    call('rollback_template', { template: 'hello', environment: 'staging' }),
  ).rejects.toMatchObject({ key: 'conflict.no_previous' });
});

test('going back twice goes back two promotions, not forth again', async () => {
  for (const subject of ['1', '2', '3']) {
    await update({ subject });
    await promote({ to: 'production', from: 'main' });
  }
  const back = async () =>
    (await call('rollback_template', { template: 'hello', environment: 'production' }))['version'];
  expect([await back(), await back(), await back()]).toEqual(['v1.0.2', 'v1.0.1', 'v1.0.0']);
  await expect(back()).rejects.toMatchObject({
    key: 'conflict.no_older',
    params: {
      template: 'hello',
      environment: 'production',
      version: 'v1.0.0',
      versions: 'v1.0.3, v1.0.2, v1.0.1',
      newest: 'v1.0.3',
    },
  });
  // What the refusal offers.
  const again = await call('rollback_template', {
    template: 'hello',
    environment: 'production',
    to: 'v1.0.3',
  });
  expect(again['version']).toBe('v1.0.3');
});

test('two environments cannot each wait for the other', async () => {
  await protect({ require_from: 'staging' });
  const circle = call('protect_environment', { environment: 'staging', require_from: 'production' });
  await expect(circle).rejects.toMatchObject({ key: 'validation_failed.require_circle' });
});

test('of two changes of the protection at once both last', async () => {
  for (let round = 0; round < 10; round++) {
    await Promise.all([protect({ approvals: round + 1 }), protect({ freeze: round % 2 === 0 })]);
    const { items } = await call('list_environments');
    expect((items as object[])[1]).toMatchObject({ approvals: round + 1, freeze: round % 2 === 0 });
  }
});
