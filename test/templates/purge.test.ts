import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeTemplates } from '../../src/templates/repository/template-repo.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

let app: TestApp;
let call: Tools;
let accountId: string;

beforeAll(async () => {
  app = await openTestApp();
  const caller = await newBareCaller(app);
  accountId = caller.accountId;
  call = useTools(app, caller);
});
afterAll(() => app.close());

async function deletedDaysAgo(name: string, days: number): Promise<void> {
  await call('delete_template', { name });
  const { sql } = app.database;
  await sql`
    update templates set deleted_at = now() - make_interval(days => ${days})
    where account_id = ${accountId} and name = ${name}`;
}

async function holds(table: 'contents' | 'templates', text: string): Promise<boolean> {
  const { sql } = app.database;
  const [row] =
    table === 'contents'
      ? await sql`select from contents where account_id = ${accountId} and document->>'html' = ${text}`
      : await sql`select from templates where account_id = ${accountId} and name = ${text}`;
  return row !== undefined;
}

test('a template is gone for good 30 days after it was deleted, with its versions and contents', async () => {
  await call('create_template', { name: 'old', html: '<p>old</p>' });
  await call('create_template', { name: 'recent', html: '<p>recent</p>' });
  await call('create_branch', { template: 'old', name: 'draft' });
  await call('update_template', { name: 'old', branch: 'draft', html: '<p>old draft</p>' });
  await deletedDaysAgo('old', 31);
  await deletedDaysAgo('recent', 29);

  expect(await purgeTemplates(app.database.sql)).toBe(1);

  expect(await holds('templates', 'old')).toBe(false);
  expect(await holds('contents', '<p>old</p>')).toBe(false);
  expect(await holds('contents', '<p>old draft</p>')).toBe(false);
  expect(await holds('contents', '<p>recent</p>')).toBe(true);
  expect(await call('restore_template', { name: 'recent' })).toMatchObject({ name: 'recent' });
});

test('a deleted part stays as long as a living template was saved with it', async () => {
  await call('create_template', { name: 'sign', kind: 'partial', html: '<i>Bye</i>' });
  await call('create_template', { name: 'letter', html: '<p>Hello</p>{{> sign}}' });
  await call('update_template', { name: 'letter', html: '<p>Hello</p>' });
  for (const to of ['staging', 'production'])
    await call('promote_template', { template: 'letter', to, from: 'main' });
  await deletedDaysAgo('sign', 40);

  expect(await purgeTemplates(app.database.sql)).toBe(0);
  expect(await call('render_template', { template: 'letter', version: 'v1.0.0' })).toMatchObject({
    html: '<p>Hello</p><i>Bye</i>',
  });
});
