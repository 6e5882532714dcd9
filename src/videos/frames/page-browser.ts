import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { Fault } from '../../errors.ts';
import type { Launch, Launched } from '../../platform/browser/launch-browser.ts';
import type { FoundBrowser } from '../../platform/browser/probe-browser.ts';
import type { Timing } from '../composition/composition.ts';

/** A browser with one page, used for one composition. */
export type PageBrowser = {
  readonly launched: Launched;
  /** Such as `HeadlessChrome/156.0.1`. */
  readonly name: string;
  readonly cdp: CDPSession;
  /** The browser paints frames only on demand. */
  readonly isFrameControlled: boolean;
  /** Kills the browser immediately. */
  close(): Promise<void>;
};

type Size = Pick<Timing, 'width' | 'height'>;

type Options = {
  readonly found: FoundBrowser;
  readonly launch: Launch;
  /** Paint frames on demand where the browser supports it; screenshots of such a page are exactly its frames. */
  readonly frameControl: boolean;
};

const FLAGS = [
  '--enable-blink-features=CanvasDrawElement',
  '--force-color-profile=srgb',
  '--lang=en-US',
  '--disable-extensions',
  // Megabytes of a page's own objects: a script that takes more ends its page, not the machine. And `gc`, for clips.
  '--js-flags=--max-old-space-size=768 --expose-gc',
  // Videos must not share cached content of pages.
  '--disk-cache-size=1',
];

// Otherwise painting would wait for display ticks, 60 per second.
const UNTHROTTLED_FLAGS = ['--disable-frame-rate-limit'];

// Makes every frame complete before it is shown: no content arrives one frame later.
const FRAME_CONTROL_FLAGS = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--disable-new-content-rendering-timeout',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-checker-imaging',
  '--disable-image-animation-resync',
];

/** Starts a browser with one page of the given size. @throws Fault unavailable.browser_start */
export async function startPageBrowser(size: Size, options: Options): Promise<PageBrowser> {
  const { found, launch } = options;
  const isFrameControlled = options.frameControl && found.kind === 'shell';
  const args = [...FLAGS, ...(isFrameControlled ? FRAME_CONTROL_FLAGS : UNTHROTTLED_FLAGS)];
  const launched = await launch(found, {
    args: [...args, `--window-size=${size.width},${size.height}`],
    profiles: await profileFolder(),
    environment: { TZ: 'UTC' },
  }).catch((error: unknown) => {
    throw new Fault('unavailable.browser_start', {}, { cause: error });
  });
  try {
    const [name, cdp] = await Promise.all([
      launched.chromium.version(),
      isFrameControlled ? controlledPage(launched, size) : firstPage(launched),
    ]);
    return { launched, name, cdp, isFrameControlled, close };
  } catch (error) {
    await close();
    throw new Fault('unavailable.browser_start', {}, { cause: error });
  }

  async function close(): Promise<void> {
    // Nothing in the browser is needed anymore, and a busy page would delay a regular close.
    launched.kill();
    await launched.close();
  }
}

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 512 * 1024 ** 2;

// Frames pass through a file in the profile, which should stay in memory.
async function profileFolder(): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).catch(() => undefined);
  return room && room.bavail * room.bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
}

async function firstPage({ chromium }: Launched): Promise<CDPSession> {
  const target = await chromium.waitForTarget((one) => one.type() === 'page');
  return target.createCDPSession();
}

async function controlledPage({ chromium }: Launched, { width, height }: Size): Promise<CDPSession> {
  const known = new Set(chromium.targets());
  const root = await chromium.target().createCDPSession();
  const [target] = await Promise.all([
    chromium.waitForTarget((one) => one.type() === 'page' && !known.has(one)),
    root.send('Target.createTarget', { url: 'about:blank', width, height, enableBeginFrameControl: true }),
  ]);
  return target.createCDPSession();
}

type ScreenshotParams = NonNullable<Protocol.HeadlessExperimental.BeginFrameRequest['screenshot']>;

/** Paints the frames of a page that paints only on demand. One call at a time. */
export type FrameClock = {
  /** Paints the page once. @returns the image, if a screenshot is requested */
  frame(
    screenshot?: ScreenshotParams,
    options?: { readonly timeout: number },
  ): Promise<Uint8Array | undefined>;
  /** Keeps painting while the work is pending: without frames a page gets no animation frames and no layout events. */
  during<T>(work: Promise<T>): Promise<T>;
};

const INTERVAL_MS = 1000 / 60;

export function createFrameClock(cdp: CDPSession): FrameClock {
  // Ticks of a monotonic clock; they may only grow.
  let ticks = 1_000_000;
  // The browser rejects a frame while it paints another, even one whose caller has given up.
  let last: Promise<unknown> = Promise.resolve();
  return { frame, during };

  function frame(...of: Parameters<FrameClock['frame']>): ReturnType<FrameClock['frame']> {
    const made = last.then(() => paint(...of));
    last = made.catch(() => {});
    return made;
  }

  async function paint(
    screenshot?: ScreenshotParams,
    options?: { readonly timeout: number },
  ): Promise<Uint8Array | undefined> {
    ticks += INTERVAL_MS;
    const request = { frameTimeTicks: ticks, interval: INTERVAL_MS, ...(screenshot && { screenshot }) };
    const { screenshotData } = await cdp.send('HeadlessExperimental.beginFrame', request, options);
    return screenshotData === undefined ? undefined : Buffer.from(screenshotData, 'base64');
  }

  async function during<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    // Each frame takes time in the browser; a page that is not responding is caught by the timeout of the work.
    while (!isOver) {
      const painted = frame().catch(over);
      await Promise.race([painted, work.catch(() => {})]);
      await Promise.race([new Promise((resolve) => setTimeout(resolve, INTERVAL_MS)), work.catch(() => {})]);
    }
    return work;
  }
}
