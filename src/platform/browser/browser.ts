import { availableParallelism } from 'node:os';
import { Fault } from '../../errors.ts';
import { createFairQueue, type QueueCaller } from '../fair-queue.ts';
import type { Log } from '../log.ts';
import { withTimeout } from '../with-timeout.ts';
import type { BlankPage } from './blank-page.ts';
import { createBrowserKeeper } from './browser-keeper.ts';
import type { Block } from './page-blocks.ts';
import { printPage } from './print-page.ts';
import type { RecycleLimits } from './running-browser.ts';
import { screenshotPage } from './screenshot-page.ts';

export type PrintOptions = {
  readonly pageSize: 'A3' | 'A4' | 'A5' | 'Legal' | 'Letter' | 'Tabloid';
  readonly landscape: boolean;
  /** 0.1 to 2. */
  readonly scale: number;
  /** CSS lengths, such as `20mm`. */
  readonly margin: {
    readonly top: string;
    readonly right: string;
    readonly bottom: string;
    readonly left: string;
  };
  /** HTML; elements of the classes pageNumber, totalPages, date and title are filled. */
  readonly header?: string;
  readonly footer?: string;
  /** Such as `1-3, 5`. */
  readonly pageRanges?: string;
  readonly background: boolean;
  /** Adds the structure that screen readers use; slower and larger. */
  readonly tagged: boolean;
};

/** `width` is in CSS pixels. */
export type ScreenshotOptions = {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly pixelRatio?: number;
  readonly mobile?: boolean;
  /** Pixels of the image; 16,384 by default, which is the browser's own limit. */
  readonly maxHeight?: number;
  /** Also returns where the blocks of the page are. */
  readonly withBlocks?: boolean;
  /** Makes the file smaller, for an image that is kept or sent. */
  readonly compact?: boolean;
};

/** `width` and `height` are pixels of the image. */
export type Screenshot = {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Distinct characters of the document that no font has. */
  readonly missingGlyphs: readonly string[];
  /** The height the page would have needed; left out when the whole page is in the image. */
  readonly cut?: { readonly height: number; readonly limit: number };
  readonly blocks?: Block | undefined;
};

export type Printed = {
  readonly pdf: Uint8Array;
  readonly pages: number;
  /** As in Screenshot. */
  readonly missingGlyphs: readonly string[];
};

export type PageAsker = QueueCaller & {
  readonly signal: AbortSignal;
  /** The call is an attempt of a job: it may take longer, and is never rejected for its wait. */
  readonly inJob?: boolean;
};

export type Browser = {
  /**
   * @throws Fault not_configured.browser, unavailable.browser_busy, unavailable.browser_start, unavailable.browser_stopped,
   * render_limit.browser_time, render_limit.browser_crash, validation_failed.page_ranges, validation_failed.margins,
   * too_large.pdf; and the signal's reason
   */
  print(html: string, options: PrintOptions, asker: PageAsker): Promise<Printed>;
  /** One image per option, of the whole page up to 16,384 px. @throws the same Faults, except those of a PDF */
  screenshot(html: string, shots: readonly ScreenshotOptions[], asker: PageAsker): Promise<Screenshot[]>;
  /** For health checks: the executable, the sandbox and the queue. Starts no browser. */
  state(): BrowserState;
  /** Ends all processes. Running work fails with Fault unavailable.browser_stopped. */
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
  /** Pages used at the same time; by default one per core, at least 2. One account uses all of them but one. */
  readonly pages?: number | undefined;
  readonly log: Log;
  /** Multiplies the time limits of prints and screenshots. */
  readonly timeLimitFactor?: number;
  readonly limits?: Partial<Limits>;
};

type Limits = RecycleLimits & {
  /** Maximum number of callers waiting for a page. */
  readonly waiting: number;
  /** Time limit of one print. */
  readonly printTimeoutMs: number;
  /** Time limit of one screenshot call, with all its images. */
  readonly screenshotTimeoutMs: number;
  /** Time limit of either in a job. */
  readonly jobTimeoutMs: number;
  /** A caller that would probably wait longer is rejected immediately. */
  readonly waitMs: number;
  /** How long the browser stays open without work. */
  readonly idleMs: number;
};

const MINUTE_MS = 60_000;
const LIMITS: Limits = {
  waiting: 50,
  printTimeoutMs: 15_000,
  screenshotTimeoutMs: 5_000,
  jobTimeoutMs: 30_000,
  waitMs: 20_000,
  idleMs: 5 * MINUTE_MS,
  pageUses: 100,
  browserUses: 2_000,
  browserMs: 60 * MINUTE_MS,
  browserBytes: 1.5 * 1024 ** 3,
};
const MIN_RETRY_AFTER_SECONDS = 5;
/** Weight of the latest call in the average time of a call. */
const LATEST = 0.2;
const MAX_PAGE_ATTEMPTS = 2;

type Work<T> = (page: BlankPage) => Promise<T>;

/**
 * Prints HTML and takes screenshots of it in one browser, which starts on first use and is replaced when it ends. In: HTML
 * and options. Out: a PDF or images. Invariant: a page has no network, and no state of one document reaches the next.
 */
export function createBrowser({
  executablePath,
  pages,
  timeLimitFactor = 1,
  log,
  limits: given,
}: Settings): Browser {
  const limits = { ...LIMITS, ...given };
  const keeper = createBrowserKeeper({ executablePath, limits, log });
  const places = pages ?? Math.max(2, availableParallelism());
  const line = createFairQueue({
    concurrency: places,
    perAccount: Math.max(1, places - 1),
    waiting: limits.waiting,
    rejection: () => busyFault(averageMs),
  });
  let averageMs = 0;
  let stopped = false;

  return {
    print: (html, options, asker) =>
      run((page) => printPage(page, html, options), asker, limits.printTimeoutMs),
    async screenshot(html, shots, asker) {
      return Promise.all(
        await run((page) => screenshotPage(page, html, shots), asker, limits.screenshotTimeoutMs),
      );
    },
    state: () => ({ ...keeper.state(), ...line.counts() }),
    async close() {
      stopped = true;
      line.dismiss(new Fault('unavailable.browser_stopped'));
      await keeper.close();
    },
  };

  async function run<T>(work: Work<T>, asker: PageAsker, timeoutMs: number): Promise<T> {
    const { signal, inJob = false } = asker;
    if (stopped) throw new Fault('unavailable.browser_stopped');
    const waitMs = line.turnsUntil(asker) * averageMs;
    if (!inJob && waitMs > limits.waitMs) throw busyFault(waitMs);
    await line.enter(asker);
    keeper.cancelIdleClose();
    const start = performance.now();
    const returns: Promise<void>[] = [];
    let overran = false;
    try {
      const limitMs = (inJob ? limits.jobTimeoutMs : timeoutMs) * timeLimitFactor;
      return await withRetry(() => attempt(work, { signal, limitMs }, returns), signal);
    } catch (error) {
      overran = error instanceof Fault && error.code === 'render_limit';
      throw error;
    } finally {
      // The caller does not wait until the page is reset, but its slot is free only then.
      void Promise.all(returns).then(() => {
        averageMs += (performance.now() - start - averageMs) * (averageMs === 0 ? 1 : LATEST);
        leave(asker, overran);
      });
    }
  }

  function leave(asker: PageAsker, overran: boolean): void {
    line.leave(asker, { overran });
    if (line.counts().busy === 0) keeper.scheduleIdleClose();
  }

  // A crash ends the work of every caller in that browser; each is retried once.
  async function withRetry<T>(
    once: () => Promise<T>,
    signal: AbortSignal,
    left = MAX_PAGE_ATTEMPTS - 1,
  ): Promise<T> {
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

  async function attempt<T>(
    work: Work<T>,
    { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
    returns: Promise<void>[],
  ): Promise<T> {
    const browser = await withTimeout(keeper.getBrowser(), { signal });
    const page = await browser.acquire();
    let how: 'used' | 'spoiled' = 'spoiled';
    try {
      const result = await withTimeout(Promise.race([work(page), page.gone]), {
        signal,
        timeoutMs: limitMs,
        timeoutError: () => new Fault('render_limit.browser_time', { limit: limitMs }),
      });
      how = 'used';
      return result;
    } catch (error) {
      // A fault of the request leaves the page reusable.
      if (error instanceof Fault && error.key !== 'render_limit.browser_time') how = 'used';
      throw error;
    } finally {
      const back = browser.release(page, how).catch((error: unknown) => {
        log.warn({ err: error }, 'a page was not taken back cleanly');
      });
      returns.push(back);
    }
  }
}

function busyFault(waitMs: number): Fault {
  const seconds = Math.max(MIN_RETRY_AFTER_SECONDS, Math.ceil(waitMs / 1000));
  return new Fault('unavailable.browser_busy', { seconds }, { retryAfterSeconds: seconds });
}
