import { dataNumber } from '../data-values.ts';
import type { Origins } from '../origins.ts';
import { clipElements, clipSource, defaultStyle, extendSelectors, replaceElement } from './clip-elements.ts';
import { clipSeconds } from './clip-times.ts';
import { clipUse } from './clip-use.ts';
import type { Clips } from './clips.ts';

/** The clips of a preview, which the browser plays itself. */
export type PlayedClips = Clips & { setPlaying(isPlaying: boolean): void };

/** Above this drift, in seconds, a playing clip jumps to its moment. */
const MAX_DRIFT_SECONDS = 0.25;

/** Lets the browser play the clips of a page roughly in time: in a preview, frames need not be exact. */
export function createPlayedClips(
  stage: HTMLElement,
  { fps }: { readonly fps: number },
): PlayedClips | undefined {
  const elements = clipElements(stage);
  if (elements.length === 0) return undefined;
  const clips = elements.map((element, index) => ({
    use: clipUse(element),
    video: playerOf(element, index),
  }));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `@layer video-engine{${elements.map((one, index) => defaultStyle(one, index)).join('')}}`,
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  extendSelectors(new Set(['img']));
  let isPlaying = false;
  return {
    setPlaying(next) {
      isPlaying = next;
      for (const { video } of clips) if (!next) video.pause();
    },
    async show(frame: number, origins: Origins) {
      for (const { use, video } of clips) {
        const origin = origins.of(video);
        const moment = (frame + 0.5) / fps - origin.start / 1000;
        follow(video, {
          seconds: clipSeconds(use, moment, video.duration || 0),
          speed: use.speed,
          isPlaying,
        });
        if (!origin.isShown) video.pause();
      }
      return true;
    },
  };
}

/** The element itself, or for an image one that can show a clip, without its sound. */
function playerOf(element: HTMLElement, index: number): HTMLVideoElement {
  const source = clipSource(element);
  const video = element instanceof HTMLVideoElement ? element : document.createElement('video');
  if (video !== element) replaceElement(element, video, index);
  const muted = video !== element || video.hasAttribute('muted');
  // A page cannot amplify a sound.
  const volume = Math.min(1, dataNumber(video.dataset['volume'], 1));
  Object.assign(video, { src: source, muted, volume, loop: false, preload: 'auto', playsInline: true });
  return video;
}

type Moment = { readonly seconds: number; readonly speed: number; readonly isPlaying: boolean };

function follow(video: HTMLVideoElement, { seconds, speed, isPlaying }: Moment): void {
  video.playbackRate = speed;
  const drift = Math.abs(video.currentTime - seconds);
  if (drift > (isPlaying ? MAX_DRIFT_SECONDS : 0)) video.currentTime = seconds;
  const isOver = video.ended || seconds >= video.duration;
  // A browser may refuse to play; the picture follows by jumps then.
  if (isPlaying && video.paused && !isOver) video.play().catch(() => {});
}
