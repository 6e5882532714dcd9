import { Fault } from '../../errors.ts';
import type { Log } from '../log.ts';
import { createLauncher } from './launch-browser.ts';
import type { FoundBrowser } from './probe-browser.ts';
import { resolveBrowser } from './resolve-browser.ts';
import { type RecycleLimits, type RunningBrowser, runBrowser } from './running-browser.ts';

type KeeperDeps = {
  readonly executablePath: string | undefined;
  /** `idleMs`: how long the browser stays open without work. */
  readonly limits: RecycleLimits & { readonly idleMs: number };
  readonly log: Log;
};

// Animated images show their first frame, as in email clients that do not play them.
const STILL_IMAGES = ['--blink-settings=imageAnimationPolicy=2'];

/** Keeps one browser for all work: finds it, starts it, replaces it when it is gone or used up, closes it when idle. */
export function createBrowserKeeper({ executablePath, limits, log }: KeeperDeps) {
  const launch = createLauncher(log);
  const running = new Set<RunningBrowser>();
  let found: FoundBrowser | undefined;
  let starting: Promise<RunningBrowser> | undefined;
  let current: RunningBrowser | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  return { getBrowser, cancelIdleClose, scheduleIdleClose, state, close };

  /** Returns the current browser, or starts one. @throws Fault not_configured.browser, unavailable.browser_start */
  async function getBrowser(): Promise<RunningBrowser> {
    if (current?.isUsable()) return current;
    current?.retire();
    current = undefined;
    starting ??= start().finally(() => {
      starting = undefined;
    });
    return starting;
  }

  async function start(): Promise<RunningBrowser> {
    found ??= await resolveBrowser({ executablePath, log });
    const launched = await launch(found, { args: STILL_IMAGES }).catch((error: unknown) => {
      // The executable may have been updated or moved since it was found.
      found = undefined;
      log.error({ err: error }, 'the browser did not start');
      throw new Fault('unavailable.browser_start', {}, { cause: error });
    });
    const browser = runBrowser(launched, limits, log);
    running.add(browser);
    void launched.closed.then(
      () => running.delete(browser),
      (error: unknown) => log.warn({ err: error }, 'a browser left its profile behind'),
    );
    current = browser;
    if (closed) await launched.close();
    return browser;
  }

  /** Called when work starts. */
  function cancelIdleClose(): void {
    clearTimeout(idle);
  }

  /** Called when the last work has finished. */
  function scheduleIdleClose(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      current?.retire();
      current = undefined;
    }, limits.idleMs).unref();
  }

  function state() {
    return {
      running: current?.isUsable() ?? false,
      ...(found && { executable: found.executable }),
      ...(current && { sandbox: current.launched.sandbox }),
    };
  }

  async function close(): Promise<void> {
    closed = true;
    clearTimeout(idle);
    await starting?.catch(() => {});
    await Promise.all(
      [...running].map(({ launched, retire }) => {
        retire();
        return launched.close();
      }),
    );
  }
}
