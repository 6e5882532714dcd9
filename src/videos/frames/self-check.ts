import type { FrameSample } from './frame-samples.ts';
import type { OpenPage } from './open-page.ts';
import { pngPlanes } from './png-planes.ts';
import { psnr } from './psnr.ts';
import { takeScreenshot } from './screenshots.ts';

/** Edges that are smoothed in another way make 35 dB; a part of the picture that is not there makes less than 30. */
const ENOUGH_DB = 33;

/**
 * Compares frames that were painted in the page, as I420, with what the compositor shows of them.
 * @returns what is wrong, such as `frame 45 differs from the screenshot: 21 dB`; undefined when all are near enough
 */
export async function selfCheck(
  page: OpenPage,
  samples: readonly FrameSample[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { frame, bytes } of samples) {
    await page.reach(frame, signal);
    const picture = await takeScreenshot(page, frame, { format: 'png', optimizeForSpeed: true }, signal);
    const near = psnr(pngPlanes(picture), bytes);
    if (near <= ENOUGH_DB) return `frame ${frame} differs from the screenshot: ${Math.round(near)} dB`;
  }
  return undefined;
}
