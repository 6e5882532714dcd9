import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser as Chromium } from 'puppeteer';
import type { Log } from '../log.ts';
import { machineEnvironment } from '../machine-environment.ts';
import { makeProfile, removeProfile } from './browser-profiles.ts';
import type { FoundBrowser } from './says-version.ts';

export type Launched = {
  readonly chromium: Chromium;
  readonly pid: number;
  readonly sandbox: boolean;
  /** The folder of its profile. */
  readonly profile: string;
  /** Ends its processes and removes its profile; when it does not end by itself, it is killed. */
  close(): Promise<void>;
  /** Ends its processes at once; `close` still has to be called. */
  kill(): void;
  /** Resolves when `close` is through. */
  readonly closed: Promise<void>;
};

type LaunchOptions = {
  /** Given after those that every browser gets. */
  readonly args?: readonly string[];
  /** The folder in which its profile lies; the temporary one by default. */
  readonly profiles?: string;
  /** What it finds in its environment besides the machine's. */
  readonly environment?: Readonly<Record<string, string>>;
};

export type Launch = (found: FoundBrowser, options?: LaunchOptions) => Promise<Launched>;

const LAUNCH_MS = 30_000;
const CLOSE_MS = 3_000;

/**
 * Starts browsers, in their sandbox where that is possible: root has none, and some kernels and containers refuse it.
 * @returns a function that starts one, with a profile of its own that is thrown away
 */
export function createLauncher(log: Log): Launch {
  let sandboxRefused = false;
  return async function launch(found, options = {}) {
    if (sandboxRefused) return launchOne(found, options, false);
    if (process.getuid?.() === 0) {
      goWithout('this process runs as root', undefined);
      return launchOne(found, options, false);
    }
    try {
      return await launchOne(found, options, true);
    } catch (error) {
      if (process.platform !== 'linux') throw error;
      const launched = await launchOne(found, options, false);
      goWithout('the system refuses it', error);
      return launched;
    }
  };

  function goWithout(why: string, error: unknown): void {
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
  const { launch } = await import('puppeteer');
  const profile = await makeProfile(profiles);
  try {
    const chromium = await launch({
      executablePath: executable,
      headless: kind === 'shell' ? 'shell' : true,
      // Over a pipe nobody else can speak to it, and it ends when this process does, however that ends.
      pipe: true,
      userDataDir: profile,
      env: { ...machineEnvironment(), LANG: 'en_US.UTF-8', ...environment, ...more },
      args: [...FLAGS, ...args, ...(sandbox ? [] : ['--no-sandbox'])],
      defaultViewport: null,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_MS,
      protocolTimeout: LAUNCH_MS,
    });
    return supervise(chromium, profile, sandbox);
  } catch (error) {
    await removeProfile(profile);
    throw error;
  }
}

// A page never has the network: addresses are not looked up, and whatever goes out goes to a proxy that is not there.
// Port 9 is `discard`, on which nothing answers; `<-loopback>` sends even loopback addresses to the proxy.
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
  // The pipes of a browser that is killed break, and nobody listens to them any more by then.
  for (const pipe of child?.stdio ?? []) pipe?.on('error', () => {});
  const exited = new Promise<void>((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  void exited.then(() => {
    // When the first process alone is killed, the others hold its pipes open, and some of them go on.
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
    // It may not answer, or be gone already.
    void chromium.close().catch(() => {});
    const late = new AbortController();
    await Promise.race([exited, delay(CLOSE_MS, undefined, { signal: late.signal }).catch(() => {})]);
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
      // Puppeteer starts it as the head of a process group, except on Windows.
      return process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      return false;
    }
  }
}
