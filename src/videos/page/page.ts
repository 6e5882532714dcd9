import { fontsReady, imagesReady } from './assets-ready.ts';
import { createClips } from './clips/clips.ts';
import { createPlayedClips, type PlayedClips } from './clips/played-clips.ts';
import { createCounters } from './counters.ts';
import { createOrigins } from './origins.ts';
import { pageClock } from './page-clock.ts';
import { createPlayback } from './playback.ts';
import { prepareTexts } from './prepare-texts.ts';
import { createScenes, setLength } from './scenes.ts';
import type { StageOptions } from './stage-options.ts';
import { directTexts } from './text-direction.ts';

/** A page that can show any time of its video. */
export type PlayedStage = {
  /** `#stage`, the picture. */
  readonly element: HTMLElement;
  /** Number of elements in it. */
  readonly nodes: number;
  /** Addresses of images that cannot be shown. */
  readonly warnings: string[];
  /** Starts of texts that do not fit, even at their smallest size. */
  readonly tooLong: string[];
  /**
   * Moves the page to a frame. Without scripts, frames look the same in any order. With scripts, the frames between
   * are visited on the way, and going back undoes nothing.
   * @returns false when nothing on the page can differ from the previous frame; a promise where clips are decoded
   */
  seek(frame: number): boolean | Promise<boolean>;
  /** As `seek`, but promises of scripts are settled at each frame on the way. */
  reach(frame: number): Promise<boolean>;
  /** The clips of a preview. */
  readonly played?: PlayedClips;
};

/**
 * Prepares the page of a template for painting. In: the options of the video, in the page itself. Out: a page whose
 * fonts and images are loaded, whose texts are split and fitted, at frame 0. Invariant: without scripts, a frame
 * looks the same whatever was shown before.
 * @throws Error when the page has no `#stage`; ClipFailed
 */
export async function prepareStage(options: StageOptions): Promise<PlayedStage> {
  const stage = document.querySelector('#stage');
  if (!(stage instanceof HTMLElement)) throw new Error('The page has no element with the id stage.');
  pageClock()?.seed(options.seed);
  document.documentElement.toggleAttribute(MEASURING, true);
  applyBaseStyle(stage, options);
  if (options.transparent) removeBackground(stage);
  stage.toggleAttribute('data-captioned', options.captions.length > 0);
  const captionTexts = options.captions.map(({ text }) => text).join('');
  directTexts(stage, captionTexts);
  const [warnings, , clips] = await Promise.all([
    imagesReady(stage),
    fontsReady(stage, captionTexts),
    options.plays ? createPlayedClips(stage, options) : createClips(stage, options),
  ]);
  const origins = createOrigins((options.frames * 1000) / options.fps);
  const scenes = createScenes(stage, origins, options);
  const counters = createCounters(stage, origins);
  counters.finish();
  const { entrances, tooLong } = prepareTexts(stage, scenes, origins);
  restartDisplay(stage);
  const animations = [...entrances, ...scenes.animate()];
  const { seek, reach } = createPlayback({ stage, options, origins, scenes, counters, animations, clips });
  await seek(0);
  const nodes = stage.querySelectorAll('*').length + 1;
  const played = clips && 'setPlaying' in clips ? { played: clips } : {};
  return { element: stage, nodes, warnings, tooLong, seek, reach, ...played };
}

/** Displays the stage as if for the first time, so that every animation starts from its beginning. */
function restartDisplay(stage: HTMLElement): void {
  stage.toggleAttribute('data-off', true);
  document.documentElement.toggleAttribute(MEASURING, false);
  // Reading a layout value makes the browser apply the change.
  stage.getBoundingClientRect();
  stage.toggleAttribute('data-off', false);
}

/**
 * Sets the page's variables and the style under every template. It is in a layer, so that styles outside layers
 * override it, except for !important rules.
 */
function applyBaseStyle(stage: HTMLElement, { width, height, fps, frames }: StageOptions): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const root = document.documentElement.style;
  root.setProperty('--w', `${width}px`);
  root.setProperty('--h', `${height}px`);
  root.setProperty('--fps', String(fps));
  root.setProperty('--duration', `${frames / fps}s`);
  setLength(stage, frames / fps);
}

/** Removes the page's background, but not that of the stage: a template can select the attribute for it. */
function removeBackground(stage: HTMLElement): void {
  stage.toggleAttribute('data-transparent', true);
  for (const { style } of [document.documentElement, document.body])
    style.setProperty('background', 'none', 'important');
}

/** Disables animations while texts are measured, so that none moves what is measured. */
const MEASURING = 'data-measuring';

const STYLE = `@layer video-engine {
  html, body { margin: 0 !important; padding: 0 !important; overflow: hidden !important; }
  #stage { position: relative; }
  #stage {
    box-sizing: border-box !important; width: var(--w) !important; height: var(--h) !important; margin: 0 !important;
    flex: none !important; overflow: hidden !important; container: stage / size !important;
    isolation: isolate !important;
  }
  [data-off] { display: none !important; }
  [data-piece] { display: inline-block; max-width: 100%; }
  [data-piece][data-line] { display: block; max-width: none; white-space: nowrap; }
  [data-nowrap] { display: inline-block; white-space: nowrap; }
  [data-cue] { white-space: pre-line; }
  [data-word] { display: inline-block; }
  [data-captions="karaoke"] [data-word]:not([data-said]) { opacity: .45; }
  [data-captions]:empty { visibility: hidden; }
  [${MEASURING}] *, [${MEASURING}] *::before, [${MEASURING}] *::after {
    animation: none !important; transition: none !important;
  }
}`;
