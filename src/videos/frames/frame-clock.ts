import type { CDPSession, Protocol } from 'puppeteer';

type Screenshot = NonNullable<Protocol.HeadlessExperimental.BeginFrameRequest['screenshot']>;

/** Makes the frames of a page that paints only when it is told to. One call at a time. */
export type FrameClock = {
  /** Paints the page once. @returns the picture, when one is asked for */
  frame(screenshot?: Screenshot, options?: { readonly timeout: number }): Promise<Uint8Array | undefined>;
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
    screenshot?: Screenshot,
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
