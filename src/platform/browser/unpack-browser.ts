import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { type FoundBrowser, probeBrowser } from './probe-browser.ts';

const UNPACK_MS = 120_000;

/**
 * Unpacks the browser of `@sparticuz/chromium` into a subfolder of `root`, once for all processes and starts. A draft folder
 * is filled and then renamed, so a killed process leaves no half browser, and the first of two concurrent calls wins.
 * @param unpackInto fills a folder with the files of the package; only tests replace it
 * @throws Error when it cannot be unpacked or does not start
 */
export async function unpackBrowser(root = tmpdir(), unpackInto = unpackPackage): Promise<FoundBrowser> {
  const place = join(root, `stallhand-chromium-${await packagedVersion()}-${ownUser()}`);
  if (await isOurs(place)) {
    const ready = await tryBrowser(place).catch(() => undefined);
    if (ready) return ready;
  }
  const draft = await mkdtemp(`${place}-`);
  try {
    await unpackInto(draft);
    await writeFile(join(draft, 'fonts', 'fonts.conf'), fontsConfiguration(join(place, 'fonts')));
    if (await moved(draft, place)) return await tryBrowser(place);
    await rm(draft, { recursive: true, force: true });
    if (await isOurs(place)) return await tryBrowser(place);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  throw new Error(`${place} belongs to another user or can be written by others`);
}

const ownUser = () => process.getuid?.() ?? 0;

async function packagedVersion(): Promise<string> {
  const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'));
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(manifest, 'utf8'))).version;
}

// All users can write to the temporary folder; a browser that another user put there is not started.
async function isOurs(folder: string): Promise<boolean> {
  const about = await lstat(folder).catch(() => undefined);
  return about?.isDirectory() === true && about.uid === ownUser() && (about.mode & 0o022) === 0;
}

async function unpackPackage(folder: string): Promise<void> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(fileURLToPath(new URL(`./unpack-worker.${extension}`, import.meta.url)), {
    env: { TMPDIR: folder },
  });
  try {
    const [code] = await once(worker, 'exit', { signal: AbortSignal.timeout(UNPACK_MS) });
    if (code !== 0) throw new Error(`unpacking the browser ended with ${code}`);
  } finally {
    await worker.terminate();
  }
}

/** False when another process has put a working browser there first. */
async function moved(draft: string, place: string): Promise<boolean> {
  if (await isOurs(place)) {
    // The existing one did not start a moment ago, unless another process has just replaced it.
    if (await tryBrowser(place).catch(() => undefined)) return false;
    await rename(place, `${draft}-broken`).catch(() => {});
    await rm(`${draft}-broken`, { recursive: true, force: true });
  }
  return rename(draft, place).then(
    () => true,
    () => false,
  );
}

async function tryBrowser(folder: string): Promise<FoundBrowser> {
  const executable = join(folder, 'chromium');
  const fonts = await fontEnvironment(folder);
  const withLibraries = { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  // The machine's libraries come first; a minimal image lacks some and needs those of the package.
  for (const environment of [fonts, withLibraries]) {
    if (await probeBrowser(executable, environment).catch(() => false)) {
      return { executable, kind: 'shell', environment };
    }
  }
  throw new Error(`${executable} does not start`);
}

// A minimal image has no fonts and no font configuration, so pages would print without text.
async function fontEnvironment(folder: string): Promise<Readonly<Record<string, string>>> {
  const configured = await lstat('/etc/fonts/fonts.conf').catch(() => undefined);
  if (configured) return {};
  await mkdir(join(folder, 'fonts-cache'), { recursive: true });
  return { FONTCONFIG_FILE: join(folder, 'fonts', 'fonts.conf') };
}

function fontsConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir>${folder}-cache</cachedir>
</fontconfig>
`;
}
