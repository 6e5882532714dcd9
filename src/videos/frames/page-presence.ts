import type { Protocol } from 'puppeteer';
import { Fault } from '../../errors.ts';
import type { StageBrowser } from './stage-browser.ts';

type Presence = {
  /** Rejects when the page or its browser has ended, or another page took its place. */
  readonly gone: Promise<never>;
  /** The page wants to go elsewhere. */
  leave(): void;
};

/** Watches that a page stays where it is once it is there. */
export function watchPresence({ cdp, launched }: StageBrowser): Presence {
  const gone = Promise.withResolvers<never>();
  // Nobody may be waiting for it at the time.
  gone.promise.catch(() => {});
  const crash = () => gone.reject(new Fault('video_failed.crashed'));
  const leave = () => gone.reject(new Fault('video_failed.navigated'));
  let isThere = false;
  cdp.once('Inspector.targetCrashed', crash);
  cdp.once('Inspector.detached', crash);
  launched.chromium.once('disconnected', crash);
  cdp.on('Page.frameNavigated', ({ frame }: Protocol.Page.FrameNavigatedEvent) => {
    if (frame.parentId !== undefined) return;
    if (isThere) leave();
    isThere = true;
  });
  return { gone: gone.promise, leave };
}
