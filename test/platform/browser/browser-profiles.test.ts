import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLauncher } from '../../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { silentLog } from '../../support/app.ts';

test('a browser has a profile of its own, which goes with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-profiles-'));
  const executablePath = process.env['PUPPETEER_EXECUTABLE_PATH'];
  const found = await resolveBrowser({ executablePath, log: silentLog });
  const launched = await createLauncher(silentLog)(found, { profiles: folder });
  const own = launched.profile.slice(folder.length + 1);
  expect(own).toMatch(new RegExp(`^stallhand-browser-${process.pid}-`));
  expect(await readdir(folder)).toEqual([own]);
  await launched.close();
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
