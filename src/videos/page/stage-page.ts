import { fontsReady, imagesReady } from './assets-ready.ts';
import { createCounters } from './counters.ts';
import { createOrigins } from './origins.ts';
import { pageClock } from './page-clock.ts';
import { createPlayback } from './playback.ts';
import { prepareTexts } from './prepare-texts.ts';
import { createScenes } from './scenes.ts';
import type { StageOptions } from './stage-options.ts';

/** A page that shows any moment of its video. */
export type PlayedStage = {
  /** `#stage`, the picture. */
  readonly element: HTMLElement;
  /** Elements in it. */
  readonly nodes: number;
  /** Addresses of images that cannot be shown. */
  readonly warnings: string[];
  /**
   * Puts the page at a frame. Without scripts any order of frames shows the same. With scripts the frames between are
   * visited on the way; what has happened is not undone by going back.
   * @returns false when nothing on the page can differ from the frame it was at before
   */
  seek(frame: number): boolean;
  /** The same, but lets what scripts wait for by promises happen at each frame on the way. */
  reach(frame: number): Promise<boolean>;
};

/**
 * Makes the page of a template ready to be painted: its fonts and images are there, its texts are split and fitted, and
 * it shows frame 0.
 * @throws Error when the page has no `#stage`
 */
export async function prepareStage(options: StageOptions): Promise<PlayedStage> {
  const stage = document.querySelector('#stage');
  if (!(stage instanceof HTMLElement)) throw new Error('The page has no element with the id stage.');
  pageClock()?.seed(options.seed);
  document.documentElement.toggleAttribute(MEASURING, true);
  applyBaseStyle(stage, options);
  const captionTexts = options.captions.map(({ text }) => text).join('');
  const [warnings] = await Promise.all([imagesReady(stage), fontsReady(stage, captionTexts)]);
  const origins = createOrigins((options.frames * 1000) / options.fps);
  const scenes = createScenes(stage, origins, options);
  const counters = createCounters(stage, origins);
  counters.finish();
  const entrances = prepareTexts(stage, scenes, origins);
  restartDisplay(stage);
  const animations = [...entrances, ...scenes.animate()];
  const { seek, reach } = createPlayback({ stage, options, origins, scenes, counters, animations });
  seek(0);
  return { element: stage, nodes: stage.querySelectorAll('*').length + 1, warnings, seek, reach };
}

/** Displays the whole picture as if for the first time, so that whatever runs then runs from its beginning. */
function restartDisplay(stage: HTMLElement): void {
  stage.toggleAttribute('data-off', true);
  document.documentElement.toggleAttribute(MEASURING, false);
  // Asking for a measure makes the browser see that it is gone.
  stage.getBoundingClientRect();
  stage.toggleAttribute('data-off', false);
}

/**
 * Gives the page its measures and the style every template stands on. It is in a layer, so that whatever an author
 * writes outside of layers comes before it, but for what is important here.
 */
function applyBaseStyle(stage: HTMLElement, { width, height, fps, frames }: StageOptions): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const duration = `${frames / fps}s`;
  const root = document.documentElement.style;
  root.setProperty('--w', `${width}px`);
  root.setProperty('--h', `${height}px`);
  root.setProperty('--fps', String(fps));
  root.setProperty('--duration', duration);
  stage.style.setProperty('--scene-duration', duration);
}

/** Holds every animation off while texts are measured, so that none of them moves what is measured. */
const MEASURING = 'data-measuring';

const STYLE = `@layer video-engine {
  html, body { margin: 0 !important; padding: 0 !important; overflow: hidden !important; }
  #stage { position: relative; }
  #stage {
    box-sizing: border-box !important; width: var(--w) !important; height: var(--h) !important; margin: 0 !important;
    flex: none !important; overflow: hidden !important; container: stage / size !important;
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
