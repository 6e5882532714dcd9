import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

let app: TestApp;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  call = useTools(app, await newBareCaller(app));
  await call('create_template', {
    name: 'hello',
    html: '<h1>Hello</h1>\n<p>{{name}}</p>\n<p>Bye</p>\n',
    subject: 'Hello',
  });
});
afterAll(() => app.close());

const update = (change: object) => call('update_template', { name: 'hello', ...change });
const merge = (input: object = {}) =>
  call('merge_branch', { template: 'hello', branch: 'holiday', ...input });

async function content(branch = 'main') {
  return call('get_template', { name: 'hello', branch, include: 'html' });
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const fault = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof Fault)) throw new Error('no fault', { cause: fault });
  return fault;
}

test('main is Active; a new branch is a Draft at the head of main', async () => {
  expect(
    await call('create_branch', { template: 'hello', name: 'holiday', description: 'December' }),
  ).toEqual({
    name: 'holiday',
    status: 'Draft',
    head: 'v1.0.0',
    base: 'v1.0.0',
    description: 'December',
    ahead: 0,
    behind: 0,
    created_at: expect.any(String),
  });
  const { items } = await call('list_branches', { template: 'hello' });
  expect((items as { name: string; status: string }[]).map(({ name, status }) => [name, status])).toEqual([
    ['main', 'Active'],
    ['holiday', 'Draft'],
  ]);
});

test('work on a branch gets draft labels of the release it is heading for, and main stays', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  expect(await update({ branch: 'holiday', subject: 'Happy holidays' })).toMatchObject({
    version: 'v1.0.1-holiday.1',
    branch: 'holiday',
  });
  expect(
    await update({ branch: 'holiday', html: '<p>{{name}}{{#if gift}} {{gift}}{{/if}}</p>' }),
  ).toMatchObject({
    version: 'v1.1.0-holiday.2',
  });
  expect(await content()).toMatchObject({ version: 'v1.0.0', subject: 'Hello' });
  await update({ text: 'Hello' });
  expect(await call('get_branch', { template: 'hello', branch: 'holiday' })).toMatchObject({
    ahead: 2,
    behind: 1,
  });
});

test('a branch may begin at a version, an environment or another branch', async () => {
  await update({ subject: 'Second' });
  const begin = async (name: string, from: string) =>
    (await call('create_branch', { template: 'hello', name, from }))['head'];
  expect([await begin('a', 'v1.0'), await begin('b', 'production'), await begin('c', 'main')]).toEqual([
    'v1.0.0',
    'v1.0.0',
    'v1.0.1',
  ]);
});

test.each(['staging', 'latest', 'v1.0', 'deadbeef'])('a branch cannot be named %s', async (name) => {
  await expect(call('create_branch', { template: 'hello', name })).rejects.toMatchObject({
    key: 'validation_failed.branch_name',
  });
});

test('a merge where only the branch changed takes its content under a release label', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({ branch: 'holiday', subject: 'Happy holidays' });
  expect(await merge({ delete_branch: true })).toMatchObject({
    version: 'v1.0.1',
    created: true,
    fast_forward: true,
    branch_deleted: true,
    conflicts: [],
  });
  expect(await content()).toMatchObject({ version: 'v1.0.1', subject: 'Happy holidays' });
  expect(await call('get_version', { template: 'hello', version: 'v1.0.1' })).toMatchObject({
    parents: ['v1.0.0', 'v1.0.1-holiday.1'],
  });
});

test('changes of both sides in different places come together', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({ branch: 'holiday', html: '<h1>Happy holidays</h1>\n<p>{{name}}</p>\n<p>Bye</p>\n' });
  await update({ html: '<h1>Hello</h1>\n<p>{{name}}</p>\n<p>See you</p>\n', subject: 'New' });
  expect(await merge()).toMatchObject({ created: true, fast_forward: false });
  expect(await content()).toMatchObject({
    html: '<h1>Happy holidays</h1>\n<p>{{name}}</p>\n<p>See you</p>\n',
    subject: 'New',
  });
});

test('changes of both sides in one place are a conflict that changes nothing; a resolution settles it', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({
    branch: 'holiday',
    html: '<h1>Holidays</h1>\n<p>{{name}}</p>\n<p>Bye</p>\n',
    subject: 'Holidays',
  });
  await update({ html: '<h1>Morning</h1>\n<p>{{name}}</p>\n<p>Bye</p>\n', subject: 'Morning' });
  const fault = await faultOf(merge());
  expect(fault.code).toBe('merge_conflict');
  const { merge_token, conflicts } = fault.data as {
    merge_token: string;
    conflicts: { id: string; field: string }[];
  };
  expect(conflicts).toEqual([
    { id: expect.any(String), field: 'html', base: 'Hello', ours: 'Morning', theirs: 'Holidays', line: 1 },
    { id: expect.any(String), field: 'subject', base: 'Hello', ours: 'Morning', theirs: 'Holidays' },
  ]);
  expect(await content()).toMatchObject({ version: 'v1.0.1' });
  const [html, subject] = conflicts;
  const resolutions = [
    { id: html?.id, take: 'theirs' },
    { id: subject?.id, take: 'text', text: 'Good morning, holidays' },
  ];
  expect(await merge({ merge_token, resolutions })).toMatchObject({
    version: 'v1.0.2',
    created: true,
    conflicts: [],
  });
  expect(await content()).toMatchObject({
    html: '<h1>Holidays</h1>\n<p>{{name}}</p>\n<p>Bye</p>\n',
    subject: 'Good morning, holidays',
  });
});

test.each([
  ['ours', 'Morning'],
  ['theirs', 'Holidays'],
])('with strategy %s the conflict is settled that way', async (strategy, subject) => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({ branch: 'holiday', subject: 'Holidays' });
  await update({ subject: 'Morning' });
  await merge({ strategy });
  expect(await content()).toMatchObject({ subject });
});

test('a dry run says what a merge would do, with the same body and without doing it', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({ branch: 'holiday', subject: 'Holidays' });
  await update({ subject: 'Morning' });
  const answer = await merge({ dry_run: true });
  const fault = await faultOf(merge());
  expect(answer).toMatchObject({ created: false, dry_run: true, ...fault.data });
  expect(await content()).toMatchObject({ subject: 'Morning' });
});

test('resolutions made for older heads are refused', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({ branch: 'holiday', subject: 'Holidays' });
  await update({ subject: 'Morning' });
  const { data } = await faultOf(merge());
  await update({ subject: 'Evening' });
  const token = data['merge_token'];
  await expect(merge({ merge_token: token, strategy: 'ours' })).rejects.toMatchObject({
    key: 'conflict.merge_moved',
  });
});

test('a resolution of no conflict is refused by name', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({ branch: 'holiday', subject: 'Holidays' });
  await update({ subject: 'Morning' });
  const fault = await faultOf(merge({ resolutions: [{ id: 'nonsense-1', take: 'ours' }] }));
  expect(fault).toMatchObject({ code: 'validation_failed', params: { id: 'nonsense-1' } });
});

test('texts that merge into a template that does not parse are refused', async () => {
  const lines = (...text: string[]) => `${text.join('\n')}\n`;
  const [a, openX, b, close, c, d, openY, e] = ['a', '{{#if x}}', 'b', '{{/if}}', 'c', 'd', '{{#if y}}', 'e'];
  await call('create_template', { name: 'block', html: lines(a, openX, b, close, c, d, openY, e, close) });
  await call('create_branch', { template: 'block', name: 'joined' });
  const joined = lines(a, openX, b, c, d, e, close);
  await call('update_template', { name: 'block', branch: 'joined', html: joined });
  const wrapped = lines(a, '{{#unless z}}', openX, b, close, c, '{{/unless}}', d, openY, e, close);
  await call('update_template', { name: 'block', html: wrapped });
  const fault = await faultOf(call('merge_branch', { template: 'block', branch: 'joined' }));
  expect([fault.key, fault.params['reason']]).toEqual(['merge_conflict.invalid', 'template_invalid']);
  expect(await call('get_template', { name: 'block', include: 'html' })).toMatchObject({ html: wrapped });
});

test('a branch that has nothing new merges into no version', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  expect(await merge()).toMatchObject({ version: 'v1.0.0', created: false, bump_reason: 'nothing to merge' });
});

test('a branch with unmerged work is deleted only with force, main never', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({ branch: 'holiday', subject: 'Holidays' });
  const remove = (input: object) => call('delete_branch', { template: 'hello', branch: 'holiday', ...input });
  await expect(remove({})).rejects.toMatchObject({ key: 'conflict.unmerged', params: { ahead: 1 } });
  await expect(remove({ branch: 'main', force: true })).rejects.toMatchObject({
    key: 'conflict.main_branch',
  });
  expect(await remove({ force: true })).toEqual({ deleted: true });
  expect(await call('get_version', { template: 'hello', version: 'v1.0.1-holiday.1' })).toMatchObject({
    subject: 'Holidays',
  });
});

test('a branch made again after its deletion goes on counting its drafts', async () => {
  await call('create_branch', { template: 'hello', name: 'holiday' });
  await update({ branch: 'holiday', subject: 'One' });
  await call('delete_branch', { template: 'hello', branch: 'holiday', force: true });
  await call('create_branch', { template: 'hello', name: 'holiday' });
  expect(await update({ branch: 'holiday', subject: 'Two' })).toMatchObject({ version: 'v1.0.1-holiday.2' });
});
