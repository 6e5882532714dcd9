import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { CDPSession, Protocol } from 'puppeteer';
import { Fault } from '../../errors.ts';
import type { Launch, Launched } from '../../platform/browser/launch-browser.ts';
import type { FoundBrowser } from '../../platform/browser/probe-browser.ts';
import type { Timing } from '../composition/composition.ts';

/** A browser for one composition, with its only page. */
export type PageBrowser = {
  readonly launched: Launched;
  /** Such as `HeadlessChrome/156.0.1`. */
  readonly name: string;
  readonly cdp: CDPSession;
  /** Frames are made only when they are asked for. */
  readonly isFrameControlled: boolean;
  /** Ends it at once. */
  close(): Promise<void>;
};

type Size = Pick<Timing, 'width' | 'height'>;

type Options = {
  readonly found: FoundBrowser;
  readonly launch: Launch;
  /** Frames on demand, where the browser can do that: the screenshots of such a page are its frames themselves. */
  readonly frameControl: boolean;
};

const FLAGS = [
  '--enable-blink-features=CanvasDrawElement',
  '--force-color-profile=srgb',
  '--lang=en-US',
  '--disable-extensions',
  // Two videos of a machine may never share what is kept of pages.
  '--disk-cache-size=1',
];

// A page that paints itself would wait for the tick of a screen, sixty times a second.
const UNTHROTTLED_FLAGS = ['--disable-frame-rate-limit'];

// A frame is whole before it is shown: nothing of it comes later, in a frame after it.
const FRAME_CONTROL_FLAGS = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--disable-new-content-rendering-timeout',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-checker-imaging',
  '--disable-image-animation-resync',
];

/** Starts a browser of its own for a page of a size. @throws Fault unavailable.browser_start */
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
    // Nothing of it is of use afterwards, and a page that is kept busy would not let it end by itself.
    launched.kill();
    await launched.close();
  }
}

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 512 * 1024 ** 2;

// Frames go through a file of the profile, which should never reach a disk.
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

/** Makes the frames of a page that paints only when it is told to. One call at a time. */
export type FrameClock = {
  /** Paints the page once. @returns the picture, when one is asked for */
  frame(
    screenshot?: ScreenshotParams,
    options?: { readonly timeout: number },
  ): Promise<Uint8Array | undefined>;
  /** Goes on painting while something is awaited: a page without frames hears of no animation frame and no size. */
  during<T>(work: Promise<T>): Promise<T>;
};

const INTERVAL_MS = 1000 / 60;

export function createFrameClock(cdp: CDPSession): FrameClock {
  // The ticks are those of the machine's steady clock, and may only grow.
  let ticks = 1_000_000;
  // The browser refuses a frame while it makes another, which nobody may be waiting for any more.
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
    // Each frame takes its time in the browser; a page that does not answer is met by the deadline of the work.
    while (!isOver) {
      const painted = frame().catch(over);
      await Promise.race([painted, work.catch(() => {})]);
      await Promise.race([new Promise((resolve) => setTimeout(resolve, INTERVAL_MS)), work.catch(() => {})]);
    }
    return work;
  }
}
