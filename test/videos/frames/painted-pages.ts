import { createLauncher } from '../../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import type { Composition } from '../../../src/videos/composition/composition.ts';
import { canvasFrames } from '../../../src/videos/frames/canvas-frames.ts';
import type { Span } from '../../../src/videos/frames/frames.ts';
import { type OpenPage, openPage } from '../../../src/videos/frames/open-page.ts';
import { silentLog } from '../../support/app.ts';

/** Never aborted. */
export const patient = new AbortController().signal;

const launch = createLauncher(silentLog);

type Given = Partial<Pick<Composition, 'width' | 'height' | 'fps' | 'frames' | 'scripts' | 'assets'>>;

/** Opens a page with that inside of its head and body; 30 frames of 64 × 64 pixels when nothing else is said. */
export async function openPainted(html: string, given: Given = {}): Promise<OpenPage> {
  const executablePath = process.env['PUPPETEER_EXECUTABLE_PATH'];
  const found = await resolveBrowser({ executablePath, log: silentLog });
  const composition: Composition = {
    ...{ width: 64, height: 64, fps: 30, frames: 30, scripts: false, tracks: [], captions: [] },
    ...{ html: `<!doctype html><meta charset="utf-8">${html}`, assets: new Map() },
    ...given,
  };
  return openPage(composition, { found, launch, signal: patient });
}

/** Runs an expression in the page, and tells its value. */
export async function inPage(page: OpenPage, expression: string): Promise<unknown> {
  const options = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await page.cdp.send('Runtime.evaluate', options);
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

type Seen = { readonly frame: number; readonly repeat: boolean; readonly bytes: Uint8Array };

/** All frames of a span, copied. */
export async function framesOf(page: OpenPage, span: Span, signal = patient): Promise<Seen[]> {
  const all: Seen[] = [];
  for await (const frame of canvasFrames(page, span, signal)) {
    all.push({ ...frame, bytes: Uint8Array.from(frame.bytes) });
  }
  return all;
}

/** Y, U and V of a pixel of an I420 frame. */
export function pixelOf(bytes: Uint8Array, { width, height }: { width: number; height: number }) {
  return (x: number, y: number): (number | undefined)[] => {
    const colour = width * height + Math.floor(y / 2) * (width / 2) + Math.floor(x / 2);
    return [bytes[y * width + x], bytes[colour], bytes[colour + (width * height) / 4]];
  };
}
