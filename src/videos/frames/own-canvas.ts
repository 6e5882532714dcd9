import { Fault } from '../../errors.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { OpenPage } from './open-page.ts';

/** A canvas does not paint the canvases inside of it. */
export const OWN_CANVAS = 'the page has a canvas of its own';

/** Known before the page is opened. */
export function mentionsCanvas(html: string): boolean {
  return /<canvas\b/i.test(html);
}

/** Whether a script has made one. @throws Fault video_failed.frame_time, .crashed */
export async function hasCanvas({ cdp, gone, limits }: OpenPage, signal: AbortSignal): Promise<boolean> {
  const expression = `document.querySelector('canvas') !== null`;
  const asked = cdp.send('Runtime.evaluate', { expression, returnByValue: true });
  const ms = limits.answerMs;
  const late = () => new Fault('video_failed.frame_time', { frame: 0, seconds: ms / 1000 });
  const { result } = await withTimeout(Promise.race([asked, gone]), {
    signal,
    timeoutMs: ms,
    timeoutError: late,
  });
  return result.value === true;
}
