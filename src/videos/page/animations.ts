import type { Origin, Origins } from './origins.ts';

/** How a page has changed since its animations were last looked for. */
type Change = 'none' | 'displayed';

type Animations = {
  /** Takes animations that the engine has made itself. */
  adopt(animations: readonly Animation[]): void;
  /**
   * Takes those the page has and that are not known, and stops their own clock.
   * @param now milliseconds of the video
   * @param change `displayed`: elements have been displayed anew, and theirs begin with their scene
   * @returns whether any was found
   */
  collect(now: number, change: Change): boolean;
  /** Puts all of them at a moment; true when any is at another place of its keyframes than it was. */
  seek(now: number): boolean;
};

/** Milliseconds of an animation's own time. */
type Span = { readonly delay: number; readonly end: number };

type Entry = {
  readonly animation: Animation;
  readonly origin: Origin;
  /** Milliseconds of the video at which it began. */
  readonly start: number;
  /** When ours begins and ends: that of others may change with their style. */
  readonly span: Span | undefined;
  /** Where it was at the last seek. */
  place: string;
};

/**
 * Every animation and transition of the page, driven by the time of the video.
 * @param strays what becomes of transitions that begin when nothing is displayed anew, such as that of a colour whose
 * inherited value is animated: `end` shows their end at once, since when they began depends on which frames were
 * visited; `run` (with scripts, whose frames are visited in order) lets them begin now
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

  /** What scripts begin does not wait for a scene that is over already. */
  function beginsNow(animation: Animation, change: Change): boolean {
    if (strays === 'end') return false;
    return change === 'none' || !(animation instanceof CSSAnimation || animation instanceof CSSTransition);
  }

  function take(animation: Animation, origin: Origin, { now = 0, isOurs = false } = {}): void {
    animation.pause();
    const span = isOurs ? spanOf(animation) : undefined;
    entries.set(animation, { animation, origin, start: Math.max(now, origin.start), span, place: '' });
  }

  /**
   * Puts ours above those of the style again. Chromium takes an animation of the style that begins on an element whose
   * script animation has been there before, while it was not displayed, for the upper one until that one moves.
   */
  function renew(): void {
    for (const entry of entries.values()) {
      if (!entry.span || !entry.origin.isShown) continue;
      entry.animation.cancel();
      entry.animation.pause();
      entry.place = '';
    }
  }

  function seek(now: number): boolean {
    let changed = false;
    for (const entry of entries.values()) {
      // What an element no longer has, since it is hidden or its style is another, never comes back: a new one does.
      if (!entry.span && entry.animation.playState === 'idle') entries.delete(entry.animation);
      else if (entry.origin.isShown && put(entry, now - entry.start)) changed = true;
    }
    return changed;
  }
}

function targetOf({ effect }: Animation): Element | null {
  return effect instanceof KeyframeEffect ? effect.target : null;
}

/** Driven by another thing than time, or held still by its author. */
function isForeign({ timeline, playState }: Animation): boolean {
  return timeline !== document.timeline || playState === 'paused';
}

function spanOf({ effect }: Animation): Span {
  const { delay = 0, endTime = 0 } = effect?.getComputedTiming() ?? {};
  return { delay, end: Number(endTime) };
}

function put(entry: Entry, local: number): boolean {
  const { animation } = entry;
  const { delay, end } = entry.span ?? spanOf(animation);
  const phase = local < delay ? 'before' : local >= end ? 'after' : 'within';
  // Before its beginning and after its end it stands still, so that nothing has to be computed anew.
  if (phase !== 'within' && entry.place === phase) return false;
  animation.currentTime = animation.playbackRate < 0 ? end - local : local;
  const { progress, currentIteration } = animation.effect?.getComputedTiming() ?? {};
  const place = phase === 'within' ? `${progress} ${currentIteration}` : phase;
  const changed = place !== entry.place;
  entry.place = place;
  return changed;
}

type SvgClock = {
  /** Puts the pictures at a moment, in milliseconds; true when that may have changed any that is displayed. */
  seek(now: number): boolean;
};

type Picture = { readonly svg: SVGSVGElement; readonly end: number; local: number };

/** The animations that SVG itself has (SMIL). Each picture's time counts from its scene's beginning. */
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

/** Seconds after which nothing moves any more; infinite where that cannot be told. */
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

/** Seconds of a plain time such as `2s`, `500ms` or `1.5`; NaN for every other. */
function seconds(text: string): number {
  const [, number, unit] = /^\s*(-?[\d.]+)(s|ms)?\s*$/.exec(text) ?? [];
  return number === undefined ? Number.NaN : Number(number) / (unit === 'ms' ? 1000 : 1);
}
