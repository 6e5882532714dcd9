import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeProcessFolder } from '../../src/platform/process-folder.ts';
import { silentLog } from '../support/app.ts';

const gone = spawnSync(process.execPath, ['--version']).pid;
const STALE = ['browser', 'clip', 'file', 'sound', 'video'].map((kind) => `stallhand-${kind}-${gone}-abcdef`);
const OTHERS = [
  `stallhand-file-${process.ppid}-abcdef`,
  `stallhand-file-${process.pid}-abcdef`,
  `stallhand-backup-${gone}-abcdef`,
  `stallhand-file-${gone}`,
  'other',
];

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'stallhand-folders-'));
  for (const name of [...STALE, ...OTHERS]) await mkdir(join(root, name, 'inside'), { recursive: true });
  vi.stubEnv('TMPDIR', root);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

test('a server removes at its start what killed processes have left, and nothing else', async () => {
  const config = readConfig({ DATA_DIR: join(root, 'data') });
  const app = await createApp({ config, log: silentLog });
  await app.close();
  const left = (await readdir(root)).filter((name) => name.startsWith('stallhand-') || name === 'other');
  expect(left.sort()).toEqual([...OTHERS].sort());
});

test('a new folder is of this process, and leaves all others alone', async () => {
  const own = basename(await makeProcessFolder('file'));
  expect(own).toMatch(new RegExp(`^stallhand-file-${process.pid}-`));
  expect((await readdir(root)).sort()).toEqual([own, ...STALE, ...OTHERS].sort());
});
