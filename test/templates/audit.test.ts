import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('every change leaves an event that says who did what, from what to what', async () => {
  const call = useTools(app, await newCaller(app, 'ana'));
  await call('create_template', { name: 'hello', html: 'a' });
  await call('update_template', { name: 'hello', html: 'b' });
  await call('create_branch', { template: 'hello', name: 'draft' });
  await call('update_template', { name: 'hello', branch: 'draft', html: 'c' });
  await call('merge_branch', { template: 'hello', branch: 'draft' });
  await call('promote_template', { template: 'hello', to: 'production', from: 'main' });
  await call('rollback_template', { template: 'hello', environment: 'production' });
  await call('save_fixture', { template: 'hello', fixture: 'one', data: {} });
  await call('delete_fixture', { template: 'hello', fixture: 'one' });
  await call('delete_branch', { template: 'hello', branch: 'draft' });
  await call('delete_template', { name: 'hello' });
  await call('restore_template', { name: 'hello' });
  const { items } = await call('list_audit_events', { target: 'hello' });
  const told = (items as Record<string, unknown>[]).map(({ actor, action, from, to }) => [
    actor,
    action,
    from,
    to,
  ]);
  expect(told.reverse()).toEqual([
    ['ana', 'template.created', undefined, 'v1.0.0'],
    ['ana', 'template.updated', 'v1.0.0', 'v1.0.1'],
    ['ana', 'branch.created', 'v1.0.1', 'draft'],
    ['ana', 'template.updated', 'v1.0.1', 'v1.0.2-draft.1'],
    ['ana', 'branch.merged', 'v1.0.1', 'v1.0.2'],
    ['ana', 'environment.promoted', 'v1.0.0', 'v1.0.2'],
    ['ana', 'environment.rolled_back', 'v1.0.2', 'v1.0.0'],
    ['ana', 'fixture.saved', undefined, 'one'],
    ['ana', 'fixture.deleted', 'one', undefined],
    ['ana', 'branch.deleted', 'draft', undefined],
    ['ana', 'template.deleted', undefined, undefined],
    ['ana', 'template.restored', undefined, undefined],
  ]);
});

test('a refused change leaves no event', async () => {
  const call = useTools(app, await newCaller(app));
  await call('create_template', { name: 'hello', html: 'a' });
  await call('create_template', { name: 'hello', html: 'a' }).catch(() => {});
  await call('update_template', { name: 'hello', html: '{{#if' }).catch(() => {});
  expect((await call('list_audit_events', { target: 'hello' }))['items']).toHaveLength(1);
});

test('events cannot be changed, even by the program', async () => {
  await expect(app.database.sql`update audit_events set actor = 'nobody'`).rejects.toThrow(
    'audit events are never changed',
  );
});
