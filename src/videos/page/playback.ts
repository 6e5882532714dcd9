import { createAnimations, createSvgClock } from './animations.ts';
import { createCaptions } from './captions.ts';
import type { Clips } from './clips/clips.ts';
import type { Counters } from './counters.ts';
import type { Origins } from './origins.ts';
import type { PlayedStage } from './page.ts';
import { pageClock } from './page-clock.ts';
import type { Scenes } from './scenes.ts';
import type { StageOptions } from './stage-options.ts';

type PlaybackDeps = {
  readonly stage: HTMLElement;
  readonly options: StageOptions;
  readonly origins: Origins;
  readonly scenes: Scenes;
  readonly counters: Counters;
  /** Animations made by the engine. */
  readonly animations: readonly Animation[];
  readonly clips: Clips | undefined;
};

/** Rounds of animations that trigger others. A page with more triggers itself endlessly. */
const MAX_ECHOES = 4;

/** Moves every part of a prepared page to a frame. */
export function createPlayback(deps: PlaybackDeps): Pick<PlayedStage, 'seek' | 'reach'> {
  const { stage, options, origins, scenes, counters, clips } = deps;
  const { fps, frames } = options;
  const clock = pageClock();
  const nextTask = createNextTask();
  const captions = createCaptions(stage, origins, options.captions);
  const svgClock = createSvgClock(stage, origins);
  const animations = createAnimations(origins, clock ? 'run' : 'end');
  animations.adopt(deps.animations);
  let at = -1;
  let place: ParentNode | null = null;
  return { seek, reach };

  function seek(wanted: number): boolean | Promise<boolean> {
    const frame = Math.min(Math.max(0, Math.round(wanted)), frames - 1);
    if (clock) for (let between = at + 1; between < frame; between += 1) show(between);
    return showWithClips(frame);
  }

  function showWithClips(frame: number): boolean | Promise<boolean> {
    const changed = show(frame);
    return clips ? clips.show(frame, origins).then((isOther) => isOther || changed) : changed;
  }

  function show(frame: number): boolean {
    // Computed from integers: adding frame lengths would drift.
    const now = (frame * 1000) / fps;
    clock?.advance({ frame, ms: now, progress: frames > 1 ? frame / (frames - 1) : 0 });
    at = frame;
    const isOtherScene = scenes.show(frame);
    // Elements that moved in the document may restart their animations.
    const isMoved = stage.parentNode !== place;
    place = stage.parentNode;
    const hasOtherText = [captions.show(now), counters.show(now)].includes(true);
    animations.collect(now, isOtherScene || isMoved ? 'displayed' : 'none');
    const hasMoved = [animations.seek(now), svgClock.seek(now)].includes(true);
    const changed = clock !== undefined || isOtherScene || isMoved || hasOtherText || hasMoved;
    if (changed) settle(now);
    return changed;
  }

  function settle(now: number): void {
    for (let echo = 0; echo < MAX_ECHOES && animations.collect(now, 'none'); echo += 1) animations.seek(now);
  }

  async function reach(frame: number): Promise<boolean> {
    if (!clock) return seek(frame);
    for (let between = at + 1; between < frame; between += 1) {
      show(between);
      // Promises of scripts are settled before the next frame.
      await nextTask();
    }
    return seek(frame);
  }
}

/** Waits until pending promises have settled. Timers would wait 4 ms each time and belong to the page. */
function createNextTask(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return () =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
}
