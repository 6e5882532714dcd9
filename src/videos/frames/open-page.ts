import type { CDPSession } from 'puppeteer';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Launch } from '../../platform/browser/launch-browser.ts';
import type { FoundBrowser } from '../../platform/browser/says-version.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { Composition } from '../composition/composition.ts';
import { readPageSources } from '../page-sources.ts';
import { LIMITS } from '../request.ts';
import { dressPage } from './dress-page.ts';
import { createFrameClock, type FrameClock } from './frame-clock.ts';
import { type CallOptions, createPageCalls, PageError, scriptFault } from './page-calls.ts';
import { watchPresence } from './page-presence.ts';
import { createPageServer } from './page-server.ts';
import { type StageBrowser, startStageBrowser } from './stage-browser.ts';
import { STAGE_LIMITS, type StageLimits } from './stage-limits.ts';

/** A composition open in a browser of its own, ready to be put at frame 0. */
export type OpenPage = {
  readonly composition: Composition;
  readonly browser: {
    /** Such as `HeadlessChrome/156.0.1`. */
    readonly name: string;
    readonly kind: 'shell' | 'full';
    /** The folder of its profile. */
    readonly profile: string;
    readonly pid: number;
  };
  /** Of the page. */
  readonly cdp: CDPSession;
  /** There only when frames are made on demand. */
  readonly frameClock: FrameClock | undefined;
  /** Rejects when the page or its browser has ended, or another page took its place. */
  readonly gone: Promise<never>;
  readonly nodes: number;
  readonly warnings: readonly string[];
  readonly limits: StageLimits;
  /** Calls an exported function of a page module, such as `sources/still.ts`: arguments and result go as JSON. */
  call<T>(module: string, name: string, args: readonly unknown[], options: CallOptions): Promise<T>;
  /**
   * Hears what page code says by `globalThis.tellHost(JSON.stringify(x))`. A template with scripts can say it too.
   * @returns a function that ends it
   */
  onTell(hear: (message: unknown) => void): () => void;
  /** Puts the page at a frame; false when it shows nothing that it did not show before. @throws Fault video_failed.frame_time, .script, .crashed */
  seek(frame: number, signal: AbortSignal): Promise<boolean>;
  /** Goes to a frame from anywhere: a page with scripts by way of the frames between. @throws as `seek` */
  reach(frame: number, signal: AbortSignal): Promise<void>;
  /** Ends the browser with all its processes, and removes its profile. */
  close(): Promise<void>;
};

type Options = {
  readonly found: FoundBrowser;
  readonly launch: Launch;
  readonly signal: AbortSignal;
  /** Frames on demand, where the browser can do that. Then nothing is painted by itself. */
  readonly frameControl?: boolean;
  readonly limits?: StageLimits;
};

/**
 * Opens a composition in a browser of its own and waits until its first frame can be painted.
 * @throws Fault unavailable.browser_start, video_failed.never_ready, .asset, .nodes, .crashed; and the signal's reason
 */
export async function openPage(composition: Composition, options: Options): Promise<OpenPage> {
  const { signal } = options;
  signal.throwIfAborted();
  const starting = startStageBrowser(composition, {
    ...options,
    frameControl: options.frameControl ?? false,
  });
  // The first time that takes a moment, in which the browser starts.
  readPageSources();
  const browser = await withTimeout(starting, { signal }).catch((error: unknown) => {
    // Whoever asked does not wait, but what was started has to end.
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

async function openIn(browser: StageBrowser, composition: Composition, options: Options): Promise<OpenPage> {
  const { found, signal, limits = STAGE_LIMITS } = options;
  const { cdp, launched, close } = browser;
  const { gone, leave } = watchPresence(browser);
  const server = createPageServer(cdp, composition, leave);
  const { address } = server;
  const { evaluate, ...calls } = createPageCalls({ cdp, address, gone, limits });
  const frameClock = browser.isFrameControlled ? createFrameClock(cdp) : undefined;
  const { nodes, warnings } = await withTimeout(Promise.race([prepare(), gone]), {
    signal,
    timeoutMs: limits.readyMs,
    timeoutError: () => new Fault('video_failed.never_ready', { seconds: limits.readyMs / 1000 }),
  }).catch((error: unknown) => {
    refuseMissing(server.missing);
    throw error instanceof PageError ? scriptFault(0, error) : error;
  });
  refuseMissing([...server.missing, ...warnings]);
  if (nodes > LIMITS.nodes) throw new Fault('video_failed.nodes', { count: nodes, limit: LIMITS.nodes });
  return {
    composition,
    browser: { name: browser.name, kind: found.kind, profile: launched.profile, pid: launched.pid },
    ...{ cdp, frameClock, gone, nodes, warnings, limits, ...calls, close },
  };

  async function prepare() {
    await dressPage(cdp, composition);
    await server.start();
    const ready = load();
    return Prepared.parse(await (frameClock ? frameClock.during(ready) : ready));
  }

  async function load(): Promise<unknown> {
    const loaded = new Promise<void>((resolve) => cdp.once('Page.loadEventFired', () => resolve()));
    await cdp.send('Page.navigate', { url: address });
    await loaded;
    return evaluate(prepareCall(address, composition), { signal, ms: limits.readyMs });
  }
}

function refuseMissing([first]: readonly string[]): void {
  if (first !== undefined) throw new Fault('video_failed.asset', { address: first });
}

const Prepared = z.object({ nodes: z.number(), warnings: z.array(z.string()) });

function prepareCall(address: string, composition: Composition): string {
  const { width, height, fps, frames, captions } = composition;
  const options = JSON.stringify({ width, height, fps, frames, captions, seed: SEED });
  return `import('${address}engine/stage-page.ts')
    .then(({ prepareStage }) => prepareStage(${options}))
    .then((stage) => {
      globalThis.stage = stage;
      return JSON.stringify({ nodes: stage.nodes, warnings: stage.warnings });
    })`;
}

// Chance is the same in every piece of a video, and in a video that is made again.
const SEED = 1;
