import type { CDPSession, Protocol } from 'puppeteer-core';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { colorEmoji } from '../../platform/browser/color-emoji.ts';
import type { Launch } from '../../platform/browser/launch-browser.ts';
import { findMissingGlyphs, glyphWarnings } from '../../platform/browser/missing-glyphs.ts';
import type { FoundBrowser } from '../../platform/browser/probe-browser.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { Composition } from '../composition/composition.ts';
import { readEngineFiles } from '../engine-files.ts';
import { LIMITS } from '../request.ts';
import { PAGE_LIMITS, type PageLimits } from './frames.ts';
import { watchMemory } from './memory-guard.ts';
import { createFrameClock, type FrameClock, type PageBrowser, startPageBrowser } from './page-browser.ts';
import { type CallOptions, createPageCalls, PageError, scriptFault, thrownFault } from './page-calls.ts';
import { createPageServer } from './page-server.ts';
import { preparePage } from './prepare-page.ts';

/** A composition open in its own browser, ready to be moved to frame 0. */
export type OpenPage = {
  readonly composition: Composition;
  readonly browser: {
    /** Such as `HeadlessChrome/156.0.1`. */
    readonly name: string;
    readonly kind: 'shell' | 'full';
    /** Path of the profile folder. */
    readonly profile: string;
    readonly pid: number;
  };
  /** Session of the page. */
  readonly cdp: CDPSession;
  /** Set only when frames are painted on demand. */
  readonly frameClock: FrameClock | undefined;
  /** Rejects when the page or browser ends, or the page navigates. */
  readonly gone: Promise<never>;
  readonly nodes: number;
  readonly warnings: readonly Warning[];
  readonly limits: PageLimits;
  /** Calls an exported function of a page module, such as `capture/probe.ts`. Arguments and result are sent as JSON. */
  call<T>(module: string, name: string, args: readonly unknown[], options: CallOptions): Promise<T>;
  /**
   * Listens to messages that page code sends with `globalThis.notifyHost(JSON.stringify(x))`. A template's scripts can
   * send them too.
   * @returns a function that stops listening
   */
  onHostMessage(hear: (message: unknown) => void): () => void;
  /**
   * Moves the page to a frame; false when nothing visible changed.
   * @throws Fault video_failed.frame_time, .crashed; script_failed
   */
  seek(frame: number, signal: AbortSignal): Promise<boolean>;
  /** Moves to a frame from anywhere; a page with scripts passes through the frames between. @throws as `seek` */
  reach(frame: number, signal: AbortSignal): Promise<void>;
  /** Waits for what the page has begun, such as the report of a script that failed. @throws as `seek` */
  settle(signal: AbortSignal): Promise<void>;
  /** Ends the browser with all its processes and removes its profile. */
  close(): Promise<void>;
};

type Options = {
  readonly found: FoundBrowser;
  readonly launch: Launch;
  readonly signal: AbortSignal;
  /** Paint frames on demand where the browser supports it; then none are painted otherwise. */
  readonly frameControl?: boolean;
  readonly limits?: PageLimits;
};

/**
 * Opens a composition in its own browser and waits until its first frame can be painted.
 * @throws Fault unavailable.browser_start, video_failed.never_ready, .asset, .nodes, .crashed; and the signal's
 * reason
 */
export async function openPage(composition: Composition, options: Options): Promise<OpenPage> {
  const { signal } = options;
  signal.throwIfAborted();
  const starting = startPageBrowser(composition, {
    ...options,
    frameControl: options.frameControl ?? false,
  });
  // The first call takes a moment, during which the browser starts.
  readEngineFiles();
  const browser = await withTimeout(starting, { signal }).catch((error: unknown) => {
    // The caller stops waiting, but a started browser must still be closed.
    starting.then(({ close }) => close()).catch(() => {});
    throw error;
  });
  try {
    return await openIn(browser, composition, options);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function openIn(browser: PageBrowser, composition: Composition, options: Options): Promise<OpenPage> {
  const { found, signal, limits = PAGE_LIMITS } = options;
  const { cdp, launched, close } = browser;
  const { gone, leave, fail } = watchNavigation(browser);
  const server = createPageServer(cdp, composition, leave);
  const { address } = server;
  if (composition.scripts) watchScripts(cdp, address, fail);
  if (composition.scripts || hasClips(composition)) guardMemory(browser, fail);
  const { evaluate, ...calls } = createPageCalls({ cdp, address, gone, limits });
  const frameClock = browser.isFrameControlled ? createFrameClock(cdp) : undefined;
  const {
    nodes,
    warnings: missing,
    tooLong,
    missingGlyphs,
  } = await withTimeout(Promise.race([prepare(), gone]), {
    signal,
    timeoutMs: limits.readyMs,
    timeoutError: () => new Fault('video_failed.never_ready', { seconds: limits.readyMs / 1000 }),
  }).catch((error: unknown) => {
    requireNothingMissing(server.missing);
    throw error instanceof PageError ? scriptFault(0, error) : error;
  });
  requireNothingMissing([...server.missing, ...missing]);
  if (nodes > LIMITS.nodes) throw new Fault('video_failed.nodes', { count: nodes, limit: LIMITS.nodes });
  const warnings = [
    ...tooLong.map((text): Warning => ({ key: 'text_too_long', params: { text } })),
    ...glyphWarnings(missingGlyphs),
  ];
  return {
    composition,
    browser: { name: browser.name, kind: found.kind, profile: launched.profile, pid: launched.pid },
    ...{ cdp, frameClock, gone, nodes, warnings, limits, ...calls, close },
  };

  async function prepare() {
    await preparePage(cdp, composition);
    await server.start();
    const later = composition.captions.map(({ text }) => text).join(' ');
    const ready = load(later);
    const prepared = Prepared.parse(await (frameClock ? frameClock.during(ready) : ready));
    const missingGlyphs = await findMissingGlyphs({ cdp, html: composition.html, hidden: true, later });
    return { ...prepared, missingGlyphs };
  }

  async function load(spoken: string): Promise<unknown> {
    const loaded = new Promise<void>((resolve) => cdp.once('Page.loadEventFired', () => resolve()));
    await cdp.send('Page.navigate', { url: address });
    await loaded;
    // Before texts are measured.
    await colorEmoji({ cdp, html: composition.html, later: { text: spoken, within: '[data-captions]' } });
    return evaluate(prepareCall(address, composition), { signal, ms: limits.readyMs });
  }
}

function requireNothingMissing([first]: readonly string[]): void {
  if (first !== undefined) throw new Fault('video_failed.asset', { address: first });
}

const MAX_TEXTS = 10;

// A script of the template can change what the page says of itself.
const Prepared = z.object({
  nodes: z.number(),
  warnings: z.array(z.string()),
  tooLong: z
    .array(z.string().transform((text) => text.slice(0, 100)))
    .transform((all) => all.slice(0, MAX_TEXTS)),
});

function prepareCall(address: string, composition: Composition): string {
  const { width, height, fps, frames, captions, transparent } = composition;
  const options = JSON.stringify({ width, height, fps, frames, captions, transparent, seed: SEED });
  return `import('${address}engine/page.ts')
    .then(({ prepareStage }) => prepareStage(${options}))
    .then((stage) => {
      globalThis.stage = stage;
      return JSON.stringify({ nodes: stage.nodes, warnings: stage.warnings, tooLong: stage.tooLong });
    })`;
}

// Random numbers are the same in every chunk and every render of a video.
const SEED = 1;

type PageWatch = {
  /** Rejects when the page or its browser has ended, or another page took its place. */
  readonly gone: Promise<never>;
  /** Called when the page tries to navigate. */
  leave(): void;
  /** Ends the page with a reason. */
  fail(reason: Fault): void;
};

/**
 * Detects that a script of the template throws, or leaves a rejected promise: such a page shows less than its author
 * meant.
 */
function watchScripts(cdp: CDPSession, address: string, fail: PageWatch['fail']): void {
  cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }: Protocol.Runtime.ExceptionThrownEvent) => {
    const fault = thrownFault(exceptionDetails, address);
    if (fault) fail(fault);
  });
}

function hasClips({ assets }: Composition): boolean {
  return [...assets.values()].some(({ mediaType }) => mediaType.startsWith('video/'));
}

const MAX_MEMORY_MB = 2048;

/** Ends the browser of a page whose scripts or clips take too much memory. */
function guardMemory({ launched }: PageBrowser, fail: PageWatch['fail']): void {
  const stop = watchMemory(launched.pid, MAX_MEMORY_MB * 1024 * 1024, () => {
    fail(new Fault('video_failed.memory', { limit: MAX_MEMORY_MB }));
    launched.kill();
  });
  void launched.closed.then(stop);
}

/** Detects that a page crashes or navigates after it was loaded. */
function watchNavigation({ cdp, launched }: PageBrowser): PageWatch {
  const gone = Promise.withResolvers<never>();
  // An unawaited rejection would end the process.
  gone.promise.catch(() => {});
  const crash = () => gone.reject(new Fault('video_failed.crashed'));
  const leave = () => gone.reject(new Fault('video_failed.navigated'));
  let isThere = false;
  cdp.once('Inspector.targetCrashed', crash);
  cdp.once('Inspector.detached', crash);
  launched.chromium.once('disconnected', crash);
  cdp.on('Page.frameNavigated', ({ frame }: Protocol.Page.FrameNavigatedEvent) => {
    if (frame.parentId !== undefined) return;
    if (isThere) leave();
    isThere = true;
  });
  return { gone: gone.promise, leave, fail: gone.reject };
}
