import { createLauncher } from '../../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import type { Composition } from '../../../src/videos/composition/composition.ts';
import { PAGE_LIMITS, type PageLimits } from '../../../src/videos/frames/frames.ts';
import { type OpenPage, openPage } from '../../../src/videos/frames/open-page.ts';
import { silentLog } from '../../support/app.ts';

export const launch = createLauncher(silentLog);

export const findBrowser = () =>
  resolveBrowser({ executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'], log: silentLog });

/** Never aborted. */
export const { signal } = new AbortController();

/** 30 frames of 160 x 90 pixels at 10 frames a second. */
export function composition(body: string, more: Partial<Composition> = {}): Composition {
  return {
    html: `<!doctype html><meta charset="utf-8"><body><div id="stage">${body}</div></body>`,
    ...{ scripts: false, width: 160, height: 90, fps: 10, frames: 30 },
    ...{ tracks: [], captions: [], assets: new Map() },
    ...more,
  };
}

type Options = { readonly frameControl?: boolean; readonly limits?: Partial<PageLimits> };

const pages: OpenPage[] = [];

export async function open(one: Composition, { frameControl = false, limits = {} }: Options = {}) {
  const page = await openPage(one, {
    found: await findBrowser(),
    ...{ launch, signal, frameControl },
    limits: { ...PAGE_LIMITS, ...limits },
  });
  pages.push(page);
  return page;
}

/** Ends what a test has opened, also one that failed. */
export async function closePages(): Promise<void> {
  await Promise.all(pages.splice(0).map((page) => page.close()));
}

/** A picture of one colour after the other, each for a second: red, lime, blue. Between them nothing moves. */
export const COLOURS = `<style>
  #stage { background: red }
  #stage b { position: absolute; inset: 0; animation: show 1ms .95s both; background: lime }
  #stage b + b { animation-delay: 1.95s; background: blue }
  @keyframes show { from { opacity: 0 } }
</style><b></b><b></b>`;
