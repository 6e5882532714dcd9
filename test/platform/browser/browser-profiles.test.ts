import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLauncher } from '../../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { silentLog } from '../../support/app.ts';

test('a launch removes the profiles of processes that are gone, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-profiles-'));
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const left = `stallhand-browser-${gone}-abcdef`;
  const others = [
    `stallhand-browser-${process.ppid}-abcdef`,
    `stallhand-browser-${process.pid}-abcdef`,
    'other',
  ];
  for (const name of [left, ...others]) await mkdir(join(folder, name, 'Default'), { recursive: true });
  await writeFile(join(folder, left, 'Default', 'ring'), 'frames');

  const executablePath = process.env['PUPPETEER_EXECUTABLE_PATH'];
  const found = await resolveBrowser({ executablePath, log: silentLog });
  const launched = await createLauncher(silentLog)(found, { profiles: folder });
  const own = launched.profile.slice(folder.length + 1);
  expect(own).toMatch(new RegExp(`^stallhand-browser-${process.pid}-`));
  expect((await readdir(folder)).sort()).toEqual([own, ...others].sort());
  await launched.close();
  expect((await readdir(folder)).sort()).toEqual(others.sort());
  await rm(folder, { recursive: true });
});
