import { Fault } from '../../errors.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { OpenPage } from './open-page.ts';
import type { PixelFrame } from './pixel-frame.ts';
import type { Span } from './stage.ts';

type Picture =
  | { readonly format: 'png'; readonly optimizeForSpeed?: boolean }
  | { readonly format: 'jpeg'; readonly quality: number; readonly optimizeForSpeed?: boolean };

const FRAME: Picture = { format: 'jpeg', quality: 95, optimizeForSpeed: true };

/** The frames of a span as JPEG pictures of the compositor. @throws Fault video_failed.frame_time, .script, .crashed */
export async function* screenshotFrames(
  page: OpenPage,
  span: Span,
  signal: AbortSignal,
): AsyncGenerator<PixelFrame, void, undefined> {
  // What is painted first after a jump may lack what takes the compositor one more frame.
  await page.reach(span.from, signal);
  await takeScreenshot(page, span.from, FRAME, signal);
  let bytes = await takeScreenshot(page, span.from, FRAME, signal);
  yield { frame: span.from, bytes, repeat: false };
  for (let frame = span.from + 1; frame < span.to; frame++) {
    const isChanged = await page.seek(frame, signal);
    if (isChanged) bytes = await takeScreenshot(page, frame, FRAME, signal);
    yield { frame, bytes, repeat: !isChanged };
  }
}

/** What the page shows now, as the compositor paints it. `frame` is the one it was put at. */
export async function takeScreenshot(
  page: OpenPage,
  frame: number,
  picture: Picture,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const ms = page.limits.frameMs;
  const late = () => new Fault('video_failed.frame_time', { frame, seconds: ms / 1000 });
  const taken = page.frameClock ? demand(page.frameClock, picture) : capture(page, picture);
  return withTimeout(Promise.race([taken, page.gone]), { signal, timeoutMs: ms, timeoutError: late });
}

// Until a new page is shown, a frame may come without a picture.
const TRIES = 5;

async function demand(
  clock: NonNullable<OpenPage['frameClock']>,
  picture: Picture,
  left = TRIES,
): Promise<Uint8Array> {
  const bytes = await clock.frame(picture);
  if (bytes) return bytes;
  if (left === 0) throw new Error('the browser painted frames, but gave no picture of them');
  return demand(clock, picture, left - 1);
}

async function capture({ cdp }: OpenPage, picture: Picture): Promise<Uint8Array> {
  const { data } = await cdp.send('Page.captureScreenshot', picture);
  return Buffer.from(data, 'base64');
}
