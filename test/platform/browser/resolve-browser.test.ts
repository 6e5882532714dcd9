import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { unpackBrowser } from '../../../src/platform/browser/unpack-browser.ts';
import { silentLog } from '../../support/app.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-resolve-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, script: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const none = async () => undefined;
const log = silentLog;

test('the browser the operator names comes before installed ones', async () => {
  const named = await program('my-chrome', 'echo Google Chrome 150');
  const installed = [await program('chromium', 'echo Chromium 150')];
  expect(await resolveBrowser({ executablePath: named, installed, unpack: none, log })).toEqual({
    executable: named,
    kind: 'full',
    environment: {},
  });
});

test('what only says how to install a browser, or does not start, is passed over', async () => {
  const stub = await program('chromium', 'echo requires the snap to be installed >&2; exit 1');
  const broken = await program('chrome', 'exit 127');
  const shell = await program('chrome-headless-shell', 'echo Google Chrome for Testing 150');
  const found = await resolveBrowser({ installed: [stub, broken, shell], unpack: none, log });
  expect(found).toEqual({ executable: shell, kind: 'shell', environment: {} });
});

test.each([
  ['linux', 'apt-get install chromium-headless-shell'],
  ['darwin', 'brew install --cask google-chrome'],
  ['win32', 'winget install Google.Chrome'],
] as const)('without any browser the fault says how to install one on %s', async (platform, command) => {
  const resolved = resolveBrowser({ platform, installed: [join(folder, 'none')], unpack: none, log });
  await expect(resolved).rejects.toMatchObject({ key: 'not_configured.browser', params: { command } });
});

test.skipIf(process.platform !== 'linux')(
  'the browser inside the packages is unpacked once, also by two at the same time and over a broken one',
  async () => {
    const [one, two] = await Promise.all([unpackBrowser(folder), unpackBrowser(folder)]);
    expect(one).toEqual(two);
    expect(one.kind).toBe('shell');
    expect(await readdir(folder)).toHaveLength(1);

    // As if a process had been killed while it wrote the file.
    await writeFile(one.executable, 'half');
    expect(await unpackBrowser(folder)).toEqual(one);
    expect(await readdir(folder)).toHaveLength(1);

    // Then anyone could have put another program there.
    await chmod(dirname(one.executable), 0o777);
    await expect(unpackBrowser(folder)).rejects.toThrow('can be written by others');
  },
);
