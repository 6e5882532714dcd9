import { Fault } from '../../errors.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { PixelFrame, Span } from './frames.ts';
import type { OpenPage } from './open-page.ts';

type ImageOptions =
  | { readonly format: 'png'; readonly optimizeForSpeed?: boolean }
  | { readonly format: 'jpeg'; readonly quality: number; readonly optimizeForSpeed?: boolean };

/** JPEG, or PNG where something is transparent. */
function frameImage({ transparent }: OpenPage['composition']): ImageOptions {
  if (transparent) return { format: 'png', optimizeForSpeed: true };
  return { format: 'jpeg', quality: 95, optimizeForSpeed: true };
}

/**
 * The frames of a span as screenshots of the compositor: JPEG, or PNG of a transparent video.
 * @throws Fault video_failed.frame_time, .crashed; script_failed
 */
export async function* screenshotFrames(
  page: OpenPage,
  span: Span,
  signal: AbortSignal,
): AsyncGenerator<PixelFrame, void, undefined> {
  const image = frameImage(page.composition);
  let bytes = await screenshotAt(page, span.from, image, signal);
  yield { frame: span.from, bytes, repeat: false };
  for (let frame = span.from + 1; frame < span.to; frame++) {
    const isChanged = await page.seek(frame, signal);
    if (isChanged) bytes = await takeScreenshot(page, frame, image, signal);
    yield { frame, bytes, repeat: !isChanged };
  }
}

// Two equal screenshots are complete. Three were enough whenever the first was not.
const MAX_SCREENSHOTS = 5;

/**
 * Moves the page to a frame from anywhere and takes a screenshot of it. After a jump, the compositor of a busy machine
 * may show a frame that still lacks content, so screenshots are taken until two are equal; a page that paints on demand
 * completes each frame.
 * @throws Fault video_failed.frame_time, .crashed; script_failed
 */
export async function screenshotAt(
  page: OpenPage,
  frame: number,
  picture: ImageOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  await page.reach(frame, signal);
  let shown = await takeScreenshot(page, frame, picture, signal);
  for (let taken = 1; !page.frameClock && taken < MAX_SCREENSHOTS; taken++) {
    const before = shown;
    shown = await takeScreenshot(page, frame, picture, signal);
    if (Buffer.compare(before, shown) === 0) break;
  }
  return shown;
}

/** Takes a screenshot of what the page shows. `frame` is the frame it was moved to. */
export async function takeScreenshot(
  page: OpenPage,
  frame: number,
  picture: ImageOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const ms = page.limits.frameMs;
  const late = () => new Fault('video_failed.frame_time', { frame, seconds: ms / 1000 });
  const taken = page.frameClock ? captureOnDemand(page.frameClock, picture) : capture(page, picture);
  return withTimeout(Promise.race([taken, page.gone]), { signal, timeoutMs: ms, timeoutError: late });
}

// Until a new page is shown, a frame may come without an image.
const MAX_ATTEMPTS = 5;

async function captureOnDemand(
  clock: NonNullable<OpenPage['frameClock']>,
  picture: ImageOptions,
  left = MAX_ATTEMPTS,
): Promise<Uint8Array> {
  const bytes = await clock.frame(picture);
  if (bytes) return bytes;
  if (left === 0) throw new Error('the browser painted frames, but gave no picture of them');
  return captureOnDemand(clock, picture, left - 1);
}

async function capture({ cdp }: OpenPage, picture: ImageOptions): Promise<Uint8Array> {
  const { data } = await cdp.send('Page.captureScreenshot', picture);
  return Buffer.from(data, 'base64');
}
