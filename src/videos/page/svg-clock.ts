import type { Origins } from './origins.ts';

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
