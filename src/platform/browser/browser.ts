import { availableParallelism } from 'node:os';
import { Fault } from '../../errors.ts';
import { createFairQueue, type QueueCaller } from '../fair-queue.ts';
import type { Log } from '../log.ts';
import { withTimeout } from '../with-timeout.ts';
import type { BlankPage } from './blank-page.ts';
import { createBrowserKeeper } from './browser-keeper.ts';
import type { Picture, PrintOptions, Shot } from './page-options.ts';
import { printPage } from './print-page.ts';
import type { Wear } from './running-browser.ts';
import { shootPage } from './shoot-page.ts';

export type { Picture, PrintOptions } from './page-options.ts';

export type PageAsker = QueueCaller & { readonly signal: AbortSignal };

export type Browser = {
  /**
   * @throws Fault not_configured.browser, unavailable.browser_busy, unavailable.browser_start, unavailable.browser_stopped,
   * render_limit.browser_time, render_limit.browser_crash, validation_failed.page_ranges, validation_failed.margins,
   * too_large.pdf; and the signal's reason
   */
  print(html: string, options: PrintOptions, asker: PageAsker): Promise<{ pdf: Uint8Array; pages: number }>;
  /** One picture a shot, of the whole page up to 16,384 px. @throws the same Faults but those of a PDF */
  shoot(html: string, shots: readonly Shot[], asker: PageAsker): Promise<Picture[]>;
  /** For probes: what serves, whether sandboxed, how many wait. Starts no browser. */
  state(): BrowserState;
  /** Ends all processes; what is at work fails with Fault unavailable.browser_stopped. */
  close(): Promise<void>;
};

type BrowserState = {
  readonly running: boolean;
  readonly executable?: string;
  readonly sandbox?: boolean;
  readonly waiting: number;
  readonly busy: number;
};

type Settings = {
  readonly executablePath?: string | undefined;
  /** How many are made at the same time; one for each core when unset. */
  readonly pages?: number | undefined;
  readonly log: Log;
  readonly limits?: Partial<Limits>;
};

type Limits = Wear & {
  /** How many may wait for a page. */
  readonly waiting: number;
  /** How long one print, or one call for pictures, may take in the browser. */
  readonly taskMs: number;
  /** After how long without work the browser is closed. */
  readonly idleMs: number;
};

const MINUTE_MS = 60_000;
const LIMITS: Limits = {
  waiting: 50,
  taskMs: 15_000,
  idleMs: 5 * MINUTE_MS,
  pageUses: 100,
  browserUses: 2_000,
  browserMs: 60 * MINUTE_MS,
  browserBytes: 1.5 * 1024 ** 3,
};
const RETRY_AFTER_SECONDS = 5;
const ATTEMPTS = 2;

type Work<T> = (page: BlankPage) => Promise<T>;

/** Prints and pictures html in one browser without network, which starts on first use and is replaced when it ends. */
export function createBrowser({ executablePath, pages, log, limits: given }: Settings): Browser {
  const limits = { ...LIMITS, ...given };
  const keeper = createBrowserKeeper({ executablePath, limits, log });
  const line = createFairQueue({
    concurrency: pages ?? availableParallelism(),
    waiting: limits.waiting,
    rejection: busyFault,
  });
  let stopped = false;

  return {
    print: (html, options, asker) => run((page) => printPage(page, html, options), asker),
    shoot: (html, shots, asker) => run((page) => shootPage(page, html, shots), asker),
    state: () => ({ ...keeper.state(), ...line.counts() }),
    async close() {
      stopped = true;
      line.dismiss(new Fault('unavailable.browser_stopped'));
      await keeper.close();
    },
  };

  async function run<T>(work: Work<T>, asker: PageAsker): Promise<T> {
    const { signal } = asker;
    if (stopped) throw new Fault('unavailable.browser_stopped');
    await line.enter(asker);
    keeper.wake();
    const returns: Promise<void>[] = [];
    try {
      return await withRetry(() => attempt(work, signal, returns), signal);
    } finally {
      // The caller need not wait until the page is empty again, but the place is free only then.
      void Promise.all(returns).then(leave);
    }
  }

  function leave(): void {
    line.leave();
    if (line.counts().busy === 0) keeper.rest();
  }

  // A browser or page that ended takes all that were at work in it along: each may try once more.
  async function withRetry<T>(once: () => Promise<T>, signal: AbortSignal, left = ATTEMPTS - 1): Promise<T> {
    try {
      return await once();
    } catch (error) {
      if (stopped) throw new Fault('unavailable.browser_stopped', {}, { cause: error });
      if (error instanceof Fault || signal.aborted) throw error;
      log.warn({ err: error }, 'a page of the browser ended while it was at work');
      if (left === 0) throw new Fault('render_limit.browser_crash', {}, { cause: error });
      return withRetry(once, signal, left - 1);
    }
  }

  async function attempt<T>(work: Work<T>, signal: AbortSignal, returns: Promise<void>[]): Promise<T> {
    const browser = await withTimeout(keeper.usableBrowser(), { signal });
    const page = await browser.lend();
    let how: 'used' | 'spoilt' = 'spoilt';
    try {
      const result = await withTimeout(Promise.race([work(page), page.gone]), {
        signal,
        timeoutMs: limits.taskMs,
        timeoutError: () => new Fault('render_limit.browser_time', { limit: limits.taskMs }),
      });
      how = 'used';
      return result;
    } catch (error) {
      // What was wrong with the request has left the page as good as before.
      if (error instanceof Fault && error.key !== 'render_limit.browser_time') how = 'used';
      throw error;
    } finally {
      const back = browser.takeBack(page, how).catch((error: unknown) => {
        log.warn({ err: error }, 'a page was not taken back cleanly');
      });
      returns.push(back);
    }
  }
}

function busyFault(): Fault {
  const seconds = RETRY_AFTER_SECONDS;
  return new Fault('unavailable.browser_busy', { seconds }, { retryAfterSeconds: seconds });
}
