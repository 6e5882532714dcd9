import { applyBaseStyle, MEASURING } from './base-style.ts';
import { createCounters } from './counters.ts';
import { fontsReady } from './fonts-ready.ts';
import { imagesReady } from './images-ready.ts';
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
  beginAnew(stage);
  const animations = [...entrances, ...scenes.animate()];
  const { seek, reach } = createPlayback({ stage, options, origins, scenes, counters, animations });
  seek(0);
  return { element: stage, nodes: stage.querySelectorAll('*').length + 1, warnings, seek, reach };
}

/** Displays the whole picture as if for the first time, so that whatever runs then runs from its beginning. */
function beginAnew(stage: HTMLElement): void {
  stage.toggleAttribute('data-off', true);
  document.documentElement.toggleAttribute(MEASURING, false);
  // Asking for a measure makes the browser see that it is gone.
  stage.getBoundingClientRect();
  stage.toggleAttribute('data-off', false);
}
