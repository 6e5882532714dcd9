import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { run } from '../../cli/cli.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey } from '../support/server.ts';
import { testProgram, testTerminal } from './terminal.ts';

let app: ServedApp;
let key: string;
let folder: string;

beforeAll(async () => {
  app = await openServedApp();
  ({ key } = await newKey(app));
  await app.videos.start();
});
afterAll(() => app.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-'));
});

/** A command, while it runs. */
function start(words: readonly string[]) {
  const { terminal, said, interrupt } = testTerminal();
  const code = run(words, testProgram(terminal, { url: app.url, apiKey: key }));
  return { code, said, interrupt };
}

const create = (...words: string[]) => ['videos', 'create', '--title', 'x', '--duration', '1', ...words];

test('--out of a video waits for it, and replaces a file that exists', async () => {
  const file = join(folder, 'mug.mp4');
  for (const _ of [1, 2]) {
    const { code, said } = start(create('--quality', 'draft', '--out', file));
    expect([await code, said.err]).toEqual([0, '']);
  }
  expect((await readFile(file)).subarray(4, 8).toString()).toBe('ftyp');
  expect(await readdir(folder)).toEqual(['mug.mp4']);
}, 60_000);

test('a video that fails has its reason and exit code 1, and leaves no file', async () => {
  const html = '<div id="stage">x</div><script>throw new Error("boom")</script>';
  const manifest = {
    title: 'Boom',
    description: 'x',
    duration: 1,
    scripts: true,
    schema: { type: 'object' },
  };
  const saved = start([
    'video-templates',
    'save',
    'boom',
    '--html',
    html,
    '--manifest',
    JSON.stringify(manifest),
  ]);
  expect([await saved.code, saved.said.err]).toEqual([0, '']);
  const { code, said } = start(create('--template', 'boom', '--wait', '--out', join(folder, 'mug.mp4')));
  expect([await code, said.out]).toEqual([1, '']);
  expect(said.err).toContain('message: A script in the template failed');
  expect(await readdir(folder)).toEqual([]);
}, 60_000);

test('a file that cannot be written is said before anything is sent', async () => {
  await mkdir(join(folder, 'mails'));
  const missing = start(create('--out', join(folder, 'missing', 'mug.mp4')));
  expect([await missing.code, missing.said.err]).toEqual([
    2,
    `--out: the folder ${join(folder, 'missing')} does not exist. Create it first.\n`,
  ]);
  const taken = start(create('--out', join(folder, 'mails')));
  expect([await taken.code, taken.said.err]).toEqual([
    2,
    `--out: ${join(folder, 'mails')} is a folder. Name a file in it.\n`,
  ]);
});

test('Ctrl-C stops the waiting and says how to go on', async () => {
  const { code, said, interrupt } = start(['videos', 'create', '--title', 'x', '--duration', '60', '--wait']);
  const pressed = () => {
    interrupt();
    return Promise.race([code, undefined]);
  };
  await expect.poll(pressed, { timeout: 20_000 }).toBe(130);
  expect(said.err).toMatch(
    /^Stopped waiting. To wait again: 'stallhand videos get (vid_\w+) --wait'. To cancel it: 'stallhand videos cancel \1'.\n$/,
  );
  const [, id = ''] = /get (\w+)/.exec(said.err) ?? [];
  const { code: canceled } = start(['videos', 'cancel', id]);
  expect(await canceled).toBe(0);
  const again = start(['videos', 'get', id, '--wait']);
  expect(await again.code).toBe(1);
}, 60_000);
