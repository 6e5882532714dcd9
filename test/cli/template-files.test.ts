import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { run } from '../../cli/cli.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';
import { testProgram, testTerminal } from './terminal.ts';

let app: ServedApp;
let key: string;
let folder: string;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  ({ key } = await newBareKey(app));
  folder = await mkdtemp(join(tmpdir(), 'stallhand-files-'));
  rest = useRest(app.url, key);
  await rest('POST', '/v1/templates', {
    body: { name: 'mug sale', html: '<p>Hello {{name}}</p>\n', subject: 'Mugs', tags: ['sale'] },
  });
});

async function stallhand(...words: string[]) {
  const { terminal, said } = testTerminal();
  const code = await run(words, testProgram(terminal, { url: app.url, apiKey: key }));
  return { ...said, code };
}

const file = (name: string) => join(folder, 'mug sale', name);

test('a template that the server does not have ends with the exit code of what is missing', async () => {
  expect(await stallhand('pull', folder, 'mugs')).toEqual({
    ...{ out: '', questions: [], code: 4 },
    err: "Template 'mugs' not found on the server. List its templates with 'stallhand templates list'.\n",
  });
});

test('pull writes each template as a folder of files', async () => {
  expect((await stallhand('pull', folder)).out).toBe('mug sale v1.0.0\n');
  expect(await readFile(file('mail.html'), 'utf8')).toBe('<p>Hello {{name}}</p>\n');
  expect(await readFile(file('subject.txt'), 'utf8')).toBe('Mugs');
  expect(JSON.parse(await readFile(file('template.json'), 'utf8'))).toEqual({
    kind: 'template',
    description: '',
    tags: ['sale'],
    branch: 'main',
    version: 'v1.0.0',
    fields: {},
  });
});

test('push saves what changed here, and nothing the second time', async () => {
  await stallhand('pull', folder);
  await writeFile(file('mail.html'), '<p>Good day {{name}}</p>\n');
  await rm(file('subject.txt'));
  expect((await stallhand('push', folder, '--dry-run')).out).toBe('mug sale: would update: html, subject\n');
  expect((await stallhand('push', folder, '--message', 'politer')).out).toBe('mug sale v1.0.1\n');
  const { body } = await rest('GET', '/v1/templates/mug%20sale?include=html');
  expect([body['html'], body['subject'], body['version']]).toEqual([
    '<p>Good day {{name}}</p>\n',
    undefined,
    'v1.0.1',
  ]);
  expect((await stallhand('push', folder)).out).toBe('No changes to save.\n');
});

test('a new folder becomes a new template', async () => {
  await mkdir(join(folder, 'fresh'), { recursive: true });
  await writeFile(join(folder, 'fresh', 'mail.html'), '<p>New</p>');
  expect((await stallhand('push', folder)).out).toBe('fresh v1.0.0\n');
  expect((await rest('GET', '/v1/templates/fresh')).body['version']).toBe('v1.0.0');
});

test('what changed on the server since is not overwritten by a push, nor what changed here by a pull', async () => {
  await stallhand('pull', folder);
  await rest('PATCH', '/v1/templates/mug%20sale', { body: { subject: 'From the office' } });
  expect((await stallhand('push', folder)).out).toContain('mug sale: newer on the server');
  await writeFile(file('subject.txt'), 'From home');
  const pushed = await stallhand('push', folder);
  expect([pushed.code, pushed.err]).toEqual([
    5,
    expect.stringContaining('has changed on the server since you pulled it'),
  ]);
  expect((await stallhand('pull', folder)).out).toContain('changed here, not replaced');
  expect(await readFile(file('subject.txt'), 'utf8')).toBe('From home');
  await stallhand('pull', folder, '--force');
  expect(await readFile(file('subject.txt'), 'utf8')).toBe('From the office');
});

test('diff shows how files differ from the server', async () => {
  await stallhand('pull', folder);
  expect((await stallhand('diff', folder)).out).toBe('No differences.\n');
  await writeFile(file('subject.txt'), 'Cups');
  expect((await stallhand('diff', folder)).out).toBe(
    '--- server/mug sale/subject.txt\n+++ local/mug sale/subject.txt\n@@ -1 +1 @@\n-Mugs\n\\ No newline at end of file\n+Cups\n\\ No newline at end of file\n',
  );
});

test('a push to a branch leaves main as it is', async () => {
  await stallhand('pull', folder);
  await writeFile(file('subject.txt'), 'Cups');
  expect((await stallhand('push', folder, '--branch', 'drafts')).out).toMatch(
    /^mug sale v1\.0\.\d+-drafts\.1\n$/,
  );
  expect((await rest('GET', '/v1/templates/mug%20sale?include=html')).body['subject']).toBe('Mugs');
});

test('a branch that a push makes begins at the version the files were made from', async () => {
  await stallhand('pull', folder);
  await rest('PATCH', '/v1/templates/mug%20sale', { body: { html: '<p>From the office {{name}}</p>' } });
  await writeFile(file('mail.html'), '<p>From home {{name}}</p>');
  expect((await stallhand('push', folder, '--branch', 'drafts')).code).toBe(0);
  const merged = await rest('POST', '/v1/templates/mug%20sale/branches/drafts/merge', { body: {} });
  expect([merged.status, merged.body['code']]).toEqual([409, 'merge_conflict']);
});

test('a push to a branch that someone else has changed overwrites nothing', async () => {
  await stallhand('pull', folder);
  await rest('POST', '/v1/templates/mug%20sale/branches', { body: { name: 'drafts' } });
  await rest('PATCH', '/v1/templates/mug%20sale', { body: { subject: 'From the office', branch: 'drafts' } });
  await writeFile(file('subject.txt'), 'From home');
  const pushed = await stallhand('push', folder, '--branch', 'drafts');
  expect([pushed.code, pushed.err]).toEqual([
    5,
    `mug sale has changed on the branch drafts since you pulled it. See how with 'stallhand diff ${folder} "mug sale" --branch drafts', keep your files elsewhere, then 'stallhand pull ${folder} "mug sale" --branch drafts --force'.\n`,
  ]);
  const held = await rest('GET', '/v1/templates/mug%20sale?include=html&branch=drafts');
  expect(held.body['subject']).toBe('From the office');
});

test('files of a branch go to main only where main is as the branch was, or has merged it', async () => {
  await stallhand('pull', folder);
  await writeFile(file('subject.txt'), 'Cups');
  await stallhand('push', folder, '--branch', 'drafts');
  const unmerged = `mug sale was last saved on the branch drafts, and main has other values. Save your files on the branch with 'stallhand push ${folder} "mug sale" --branch drafts', then merge it with 'stallhand branches merge --template "mug sale" --branch drafts'.\n`;
  const same = await stallhand('push', folder);
  await writeFile(file('subject.txt'), 'Bowls');
  const changed = await stallhand('push', folder);
  expect([same.code, same.err, changed.code, changed.err]).toEqual([5, unmerged, 5, unmerged]);
  expect((await rest('GET', '/v1/templates/mug%20sale?include=html')).body['subject']).toBe('Mugs');

  await rest('POST', '/v1/templates/mug%20sale/branches/drafts/merge', { body: {} });
  const merged = await stallhand('push', folder);
  expect([merged.code, merged.out]).toEqual([0, expect.stringMatching(/^mug sale v1\.0\.\d+\n$/)]);
  expect((await rest('GET', '/v1/templates/mug%20sale?include=html')).body['subject']).toBe('Bowls');
});

test('a template that the server refuses is named', async () => {
  await mkdir(join(folder, 'fresh'));
  await writeFile(join(folder, 'fresh', 'mail.html'), '{{#if');
  const { code, err } = await stallhand('push', folder);
  expect([code, err]).toEqual([
    2,
    'fresh: The html field has a syntax error at line 1, column 4: this expression is never closed.\n',
  ]);
});

test.each([
  ['--yes', 'Unknown flag --yes.\n'],
  ['--forse', 'Unknown flag --forse. Did you mean --force?\n'],
])('%s is no flag of push', async (flag, err) => {
  expect(await stallhand('push', folder, flag)).toMatchObject({ code: 2, err });
});

test('a file that is no template is named', async () => {
  await mkdir(join(folder, 'empty'));
  expect((await stallhand('push', folder)).err).toBe(
    `'${join(folder, 'empty')}' has no mail.html or mail.mjml.\n`,
  );
});

test('watch wants a branch of its own, since every save is a version', async () => {
  await stallhand('pull', folder);
  const { code, err } = await stallhand('watch', folder);
  expect([code, err]).toEqual([
    2,
    'Every save becomes a version, so watch needs its own branch: --branch drafts\n',
  ]);
});
