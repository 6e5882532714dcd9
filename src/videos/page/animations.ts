import type { Origin, Origins } from './origins.ts';

/** How the page changed since its animations were last collected. */
type Change = 'none' | 'displayed';

type Animations = {
  /** Registers animations made by the engine. */
  adopt(animations: readonly Animation[]): void;
  /**
   * Registers new animations of the page and stops their own clock.
   * @param now milliseconds of the video
   * @param change `displayed`: elements were displayed again, so their animations start with their scene
   * @returns whether any was found
   */
  collect(now: number, change: Change): boolean;
  /** Moves all animations to a time; true when any is at another position of its keyframes. */
  seek(now: number): boolean;
};

/** In milliseconds of the animation's own time. */
type Span = { readonly delay: number; readonly end: number };

type Entry = {
  readonly animation: Animation;
  readonly origin: Origin;
  /** Milliseconds of the video at which it started. */
  readonly start: number;
  /** Start and end of the engine's animations; those of others may change with their style. */
  readonly span: Span | undefined;
  /** Position at the last seek, and whether that was before it starts, within it or after its end. */
  place: string;
  phase: 'before' | 'within' | 'after' | undefined;
  /** Of its keyframes, once they were read. */
  stretches: ReturnType<typeof stretchesOf> | undefined;
};

/**
 * Every animation and transition of the page, driven by the time of the video.
 * @param strays how to treat transitions that start while nothing is displayed again, such as those of a color whose
 * inherited value is animated. `end` shows their end immediately, since their start would depend on which frames were
 * visited; `run` (with scripts, whose frames are visited in order) starts them now
 */
export function createAnimations(origins: Origins, strays: 'end' | 'run'): Animations {
  const entries = new Map<Animation, Entry>();
  return { adopt, collect, seek };

  function adopt(animations: readonly Animation[]): void {
    for (const animation of animations) {
      const target = targetOf(animation);
      if (target) take(animation, origins.of(target), { isOurs: true });
    }
  }

  function collect(now: number, change: Change): boolean {
    const found = document.getAnimations().filter((each) => !entries.has(each) && !isForeign(each));
    for (const animation of found) {
      const target = targetOf(animation);
      if (change === 'none' && strays === 'end' && animation instanceof CSSTransition) animation.cancel();
      else if (target) take(animation, origins.of(target), { now: beginsNow(animation, change) ? now : 0 });
    }
    if (change === 'displayed') renew();
    return found.length > 0;
  }

  /** Animations started by scripts do not wait for a scene that is over. */
  function beginsNow(animation: Animation, change: Change): boolean {
    if (strays === 'end') return false;
    return change === 'none' || !(animation instanceof CSSAnimation || animation instanceof CSSTransition);
  }

  function take(animation: Animation, origin: Origin, { now = 0, isOurs = false } = {}): void {
    animation.pause();
    const span = isOurs ? spanOf(animation) : undefined;
    entries.set(animation, {
      animation,
      origin,
      start: Math.max(now, origin.start),
      span,
      place: '',
      phase: undefined,
      stretches: undefined,
    });
  }

  /**
   * Puts the engine's animations above those of the style again. Chromium ranks a CSS animation that starts on an
   * element higher than a script animation that existed while the element was not displayed, until the script
   * animation moves.
   */
  function renew(): void {
    for (const entry of entries.values()) {
      if (!entry.span || !entry.origin.isShown) continue;
      entry.animation.cancel();
      entry.animation.pause();
      entry.place = '';
      entry.phase = undefined;
    }
  }

  function seek(now: number): boolean {
    // All states are read before anything moves: each read after a move would lay the page out again.
    for (const { animation, span } of entries.values()) {
      // An animation that an element lost, by being hidden or restyled, never returns: a new one replaces it.
      if (!span && animation.playState === 'idle') entries.delete(animation);
    }
    let changed = false;
    for (const entry of entries.values()) {
      // Only a script can give an animation other keyframes.
      if (strays === 'run') entry.stretches = undefined;
      if (entry.origin.isShown && put(entry, now - entry.start)) changed = true;
    }
    return changed;
  }
}

function targetOf({ effect }: Animation): Element | null {
  return effect instanceof KeyframeEffect ? effect.target : null;
}

/** Driven by something other than time, or paused by its author. */
function isForeign({ timeline, playState }: Animation): boolean {
  return timeline !== document.timeline || playState === 'paused';
}

function spanOf({ effect }: Animation): Span {
  const { delay = 0, endTime = 0 } = effect?.getComputedTiming() ?? {};
  return { delay, end: Number(endTime) };
}

/** Moves an animation to its own time; true when it is at another position then. */
function put(entry: Entry, local: number): boolean {
  const { animation } = entry;
  const { delay, end } = entry.span ?? spanOf(animation);
  const phase = local < delay ? 'before' : local >= end ? 'after' : 'within';
  // Before its start and after its end nothing changes, so nothing is recomputed.
  if (phase !== 'within' && entry.phase === phase) return false;
  entry.phase = phase;
  entry.stretches ??= stretchesOf(animation);
  const { stretches } = entry;
  const moment = phase === 'within' && stretches.flat().some(isStepped) ? local + PAST_MS : local;
  animation.currentTime = animation.playbackRate < 0 ? end - moment : moment;
  const { progress, currentIteration } = animation.effect?.getComputedTiming() ?? {};
  // What shows its first keyframe before it starts is at the same place when it does.
  const isHeld = phase !== 'after' && typeof progress === 'number';
  const place = isHeld ? `${heldPlace(stretches, progress)} ${currentIteration}` : phase;
  const changed = place !== entry.place;
  entry.place = place;
  return changed;
}

/** What a property does from one keyframe to the next: so many steps, 0 where nothing changes, Infinity where it flows. */
type Stretch = { readonly from: number; readonly to: number; readonly steps: number };

/**
 * A frame on which a step falls is shown this much later: the browser may take the exact moment for one before the step
 * where this code takes it for one after it, and every frame until the next step would repeat the wrong picture.
 */
const PAST_MS = 0.001;

function isStepped({ steps }: Stretch): boolean {
  return steps > 0 && steps !== Infinity;
}

/** Of each property, the stretches between the keyframes that set it. */
function stretchesOf({ effect }: Animation): readonly (readonly Stretch[])[] {
  const frames = effect instanceof KeyframeEffect ? effect.getKeyframes() : [];
  const names = new Set(frames.flatMap((frame) => Object.keys(frame)));
  return [...names.difference(OTHERS)].map((name) => {
    const own = frames.filter((frame) => name in frame);
    return own.slice(0, -1).map((frame, at) => {
      const next = own[at + 1] ?? frame;
      const isSame = frame[name] === next[name] && frame.composite === next.composite;
      const steps = isSame ? 0 : stepsOf(frame.easing);
      return { from: frame.computedOffset, to: next.computedOffset, steps };
    });
  });
}

/** What a keyframe has beside the properties that it sets. */
const OTHERS = new Set(['offset', 'computedOffset', 'easing', 'composite']);

function stepsOf(easing: string): number {
  const [, steps] = /^steps\((\d+)(?:, (?:jump-)?end)?\)$/.exec(easing) ?? [];
  return steps === undefined ? Infinity : Number(steps);
}

/** Where the properties of an animation are. */
function heldPlace(stretches: readonly (readonly Stretch[])[], progress: number): string {
  return stretches.map((one) => placeIn(one, progress)).join(' ');
}

/** Where a property is; between the steps of a `steps()` easing it stays where it is. */
function placeIn(stretches: readonly Stretch[], progress: number): string {
  const stretch = stretches.findLast(({ from }) => from <= progress);
  // Outside of its keyframes, a property flows from or to what the style says.
  if (!stretch || progress > stretch.to || stretch.steps === Infinity) return String(progress);
  const share = (progress - stretch.from) / (stretch.to - stretch.from);
  return `${stretch.from}/${Math.floor(share * stretch.steps + 1e-9)}`;
}

type SvgClock = {
  /** Moves the SVGs to a time in milliseconds; true when a displayed one may have changed. */
  seek(now: number): boolean;
};

type Picture = { readonly svg: SVGSVGElement; readonly end: number; local: number };

/** Animations of SVG itself (SMIL). The time of each SVG counts from the start of its scene. */
export function createSvgClock(stage: HTMLElement, origins: Origins): SvgClock {
  const pictures = [...stage.querySelectorAll('svg')]
    .filter((svg) => svg.ownerSVGElement === null && svg.querySelector(ANIMATED))
    .map((svg): Picture => ({ svg, end: endOf(svg), local: -1 }));
  for (const { svg } of pictures) svg.pauseAnimations();
  return {
    seek(now) {
      let changed = false;
      for (const picture of pictures) {
        const origin = origins.of(picture.svg);
        if (!origin.isShown) continue;
        const local = Math.max(0, now - origin.start) / 1000;
        picture.svg.pauseAnimations();
        picture.svg.setCurrentTime(local);
        const isOver = Math.min(local, picture.local) >= picture.end;
        if (local !== picture.local && !isOver) changed = true;
        picture.local = local;
      }
      return changed;
    },
  };
}

const ANIMATED = 'animate, animateTransform, animateMotion, set';

/** Seconds after which nothing moves; infinite when unknown. */
function endOf(svg: SVGSVGElement): number {
  return Math.max(
    ...[...svg.querySelectorAll(ANIMATED)].map((element) => {
      const begin = seconds(element.getAttribute('begin') ?? '0');
      const times = Number(element.getAttribute('repeatCount') ?? 1);
      const isPlain = !element.hasAttribute('repeatDur') && !element.hasAttribute('end');
      // Without a duration, `set` changes once and stays.
      const length = element.hasAttribute('dur') || element.localName !== 'set' ? duration(element) : 0;
      const end = isPlain ? begin + length * times : Number.NaN;
      return Number.isNaN(end) ? Infinity : end;
    }),
  );
}

function duration(element: Element): number {
  return seconds(element.getAttribute('dur') ?? '');
}

/** Seconds of a simple time such as `2s`, `500ms` or `1.5`; otherwise NaN. */
function seconds(text: string): number {
  const [, number, unit] = /^\s*(-?[\d.]+)(s|ms)?\s*$/.exec(text) ?? [];
  return number === undefined ? Number.NaN : Number(number) / (unit === 'ms' ? 1000 : 1);
}
