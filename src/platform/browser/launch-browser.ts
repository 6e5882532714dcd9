import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser as Chromium } from 'puppeteer-core';
import type { Log } from '../log.ts';
import { machineEnvironment } from '../machine-environment.ts';
import { makeProcessFolder } from '../process-folder.ts';
import { withFallbackFonts } from './fallback-fonts.ts';
import type { FoundBrowser } from './probe-browser.ts';

export type Launched = {
  readonly chromium: Chromium;
  readonly pid: number;
  readonly sandbox: boolean;
  /** Path of the profile folder. */
  readonly profile: string;
  /** Ends the processes, by force after a timeout, and removes the profile. */
  close(): Promise<void>;
  /** Ends the processes immediately; `close` must still be called. */
  kill(): void;
  /** Resolves when `close` has finished. */
  readonly closed: Promise<void>;
};

type LaunchOptions = {
  /** Added after the arguments every browser gets. */
  readonly args?: readonly string[];
  /** Parent folder of the profile; by default the temporary folder. */
  readonly profiles?: string;
  /** Environment variables added to the machine's. */
  readonly environment?: Readonly<Record<string, string>>;
};

export type Launch = (found: FoundBrowser, options?: LaunchOptions) => Promise<Launched>;

const LAUNCH_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Starts browsers with their sandbox where possible: root has none, and some kernels and containers reject it.
 * @returns a function that starts one browser with its own temporary profile
 */
export function createLauncher(log: Log): Launch {
  let sandboxRefused = false;
  return async function launch(found, given = {}) {
    const options = {
      ...given,
      environment: await withFonts({ ...found.environment, ...given.environment }),
    };
    if (sandboxRefused) return launchOne(found, options, false);
    if (process.getuid?.() === 0) {
      disableSandbox('this process runs as root', undefined);
      return launchOne(found, options, false);
    }
    try {
      return await launchOne(found, options, true);
    } catch (error) {
      if (process.platform !== 'linux') throw error;
      const launched = await launchOne(found, options, false);
      disableSandbox('the system refuses it', error);
      return launched;
    }
  };

  // Missing characters are found and reported later, so a browser without these fonts is better than none.
  async function withFonts(environment: Readonly<Record<string, string>>) {
    if (process.platform !== 'linux') return environment;
    return withFallbackFonts({ ...machineEnvironment(), ...environment }).then(
      (fonts) => ({ ...environment, ...fonts }),
      (error: unknown) => {
        log.warn({ err: error }, 'the fonts inside the packages cannot be used');
        return environment;
      },
    );
  }

  function disableSandbox(why: string, error: unknown): void {
    sandboxRefused = true;
    log.warn(
      { err: error },
      `the browser runs without its sandbox, since ${why}; run as another user, and allow unprivileged user namespaces (in a container by its seccomp profile)`,
    );
  }
}

async function launchOne(
  { executable, kind, environment }: FoundBrowser,
  { args = [], profiles = tmpdir(), environment: more = {} }: LaunchOptions,
  sandbox: boolean,
): Promise<Launched> {
  const { launch } = await import('puppeteer-core');
  const profile = await makeProcessFolder('browser', profiles);
  try {
    const chromium = await launch({
      executablePath: executable,
      headless: kind === 'shell' ? 'shell' : true,
      // Over a pipe no other process can control it, and it ends when this process ends, even by a crash.
      pipe: true,
      userDataDir: profile,
      env: { ...machineEnvironment(), LANG: 'en_US.UTF-8', ...environment, ...more },
      args: [...FLAGS, ...args, ...(sandbox ? [] : ['--no-sandbox'])],
      defaultViewport: null,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_TIMEOUT_MS,
      protocolTimeout: LAUNCH_TIMEOUT_MS,
    });
    return supervise(chromium, profile, sandbox);
  } catch (error) {
    await removeProfile(profile);
    throw error;
  }
}

// No page has network access: names are not resolved, and requests go to a proxy that does not exist. Port 9 is
// `discard`, where nothing listens; `<-loopback>` sends even loopback addresses to the proxy.
export const FLAGS = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--hide-scrollbars',
  '--mute-audio',
];

function supervise(chromium: Chromium, profile: string, sandbox: boolean): Launched {
  const child = chromium.process();
  // The pipes of a killed browser break; an unhandled error event would end this process.
  for (const pipe of child?.stdio ?? []) pipe?.on('error', () => {});
  const exited = new Promise<void>((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  void exited.then(() => {
    // When only the main process is killed, the others hold its pipes open and some keep running.
    killGroup();
    void chromium.disconnect();
  });
  const closed = Promise.withResolvers<void>();
  let closing = false;
  return { chromium, pid: child?.pid ?? 0, sandbox, profile, kill, close, closed: closed.promise };

  async function close(): Promise<void> {
    if (!closing) {
      closing = true;
      closed.resolve(end());
    }
    await closed.promise;
  }

  async function end(): Promise<void> {
    // It may be hanging or gone already.
    void chromium.close().catch(() => {});
    const late = new AbortController();
    await Promise.race([exited, delay(CLOSE_TIMEOUT_MS, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    kill();
    await exited;
    await removeProfile(profile);
  }

  function kill(): void {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    if (!killGroup()) child.kill('SIGKILL');
  }

  function killGroup(): boolean {
    if (!child?.pid) return false;
    try {
      // Puppeteer starts it as the leader of a process group, except on Windows.
      return process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      return false;
    }
  }
}

/** Child processes may still be writing when the main process has ended, hence the retries. */
async function removeProfile(profile: string): Promise<void> {
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
