import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

describe.skipIf(process.platform !== 'linux')('the browser inside the packages', () => {
  const chromium = (folder: string) => join(folder, 'chromium');

  test('is unpacked once, also by two calls at the same time and over a broken one', async () => {
    // Unpacking the real one takes seconds of processor time each. A link leaves no file open for writing that a
    // process started at the same time would inherit, which fails with ETXTBSY.
    const script = await program('says-version', 'echo Chromium 150');
    const root = join(folder, 'root');
    await mkdir(root);
    let unpacked = 0;
    const unpack = async (draft: string) => {
      unpacked++;
      await mkdir(join(draft, 'fonts'));
      await symlink(script, chromium(draft));
    };

    const [one, two] = await Promise.all([unpackBrowser(root, unpack), unpackBrowser(root, unpack)]);
    expect(one).toEqual(two);
    expect(one.kind).toBe('shell');
    expect(await readdir(root)).toHaveLength(1);
    const afterBoth = unpacked;
    expect(await unpackBrowser(root, unpack)).toEqual(one);
    expect(unpacked).toBe(afterBoth);

    // As if a process had been killed while it wrote the file.
    await rm(one.executable);
    await writeFile(one.executable, 'half');
    expect(await unpackBrowser(root, unpack)).toEqual(one);
    expect(unpacked).toBe(afterBoth + 1);
    expect(await readdir(root)).toHaveLength(1);

    // Then anyone could have put another program there.
    await chmod(dirname(one.executable), 0o777);
    await expect(unpackBrowser(root, unpack)).rejects.toThrow('can be written by others');
  });

  // Unpacking has a time limit in the product, which is far longer than that of a test.
  test('starts once it is unpacked', { timeout: 150_000 }, async () => {
    const found = await unpackBrowser(folder);
    expect(found).toMatchObject({ executable: chromium(dirname(found.executable)), kind: 'shell' });
    expect(await readdir(folder)).toHaveLength(1);
  });
});
