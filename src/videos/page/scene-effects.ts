import { dataNumber } from './data-values.ts';

type Effect = { readonly name: string; readonly ms: number };

/** Seconds that an entrance or an exit takes when the author does not say. */
const STANDARD_SECONDS = 0.5;

/**
 * Makes the entrance and the exit that `data-in` and `data-out` name, such as `fade 0.5`. They move by the properties
 * of their own (opacity, translate, scale, clip-path), so that an author's `transform` stays what it is.
 * @param length of the scene, in milliseconds: both together never take longer
 */
export function animateScene(element: HTMLElement, length: number): Animation[] {
  const entrance = read(element.dataset['in']);
  const exit = read(element.dataset['out']);
  const squeeze = Math.min(1, length / (entrance.ms + exit.ms || 1));
  const [entranceMs, exitMs] = [entrance.ms * squeeze, exit.ms * squeeze];
  const away = OFF[exit.name];
  const animations: Animation[] = [];
  const start = COMING[entrance.name] ?? OFF[entrance.name];
  if (start && entranceMs > 0) {
    const timing = {
      duration: entranceMs,
      fill: 'backwards',
      easing: 'cubic-bezier(.16, 1, .3, 1)',
    } as const;
    animations.push(element.animate([start, rest(start)], timing));
  }
  if (away && exitMs > 0) {
    const timing = {
      duration: exitMs,
      delay: length - exitMs,
      fill: 'forwards',
      easing: 'cubic-bezier(.7, 0, .84, 0)',
    } as const;
    animations.push(element.animate([rest(away), away], timing));
  }
  return animations;
}

function read(text = 'none'): Effect {
  const [name = 'none', seconds] = text.trim().split(/\s+/);
  return { name, ms: name in OFF ? dataNumber(seconds, STANDARD_SECONDS) * 1000 : 0 };
}

/** How a scene looks when it is gone. The words left and so on say where it moves to. */
const OFF: Readonly<Record<string, Keyframe>> = {
  fade: { opacity: 0 },
  'slide-left': { translate: '-100% 0' },
  'slide-right': { translate: '100% 0' },
  'slide-up': { translate: '0 -100%' },
  'slide-down': { translate: '0 100%' },
  zoom: { opacity: 0, scale: 1.15 },
  wipe: { clipPath: 'inset(0 0 0 100%)' },
};

/** How it looks before it comes, where that is another thing. */
const COMING: Readonly<Record<string, Keyframe>> = {
  'slide-left': { translate: '100% 0' },
  'slide-right': { translate: '-100% 0' },
  'slide-up': { translate: '0 100%' },
  'slide-down': { translate: '0 -100%' },
  zoom: { opacity: 0, scale: 0.85 },
  wipe: { clipPath: 'inset(0 100% 0 0)' },
};

/** The other end: what the style says by itself, but `none` of a clip-path is no shape to come from. */
function rest(keyframe: Keyframe): Keyframe {
  return 'clipPath' in keyframe ? { clipPath: 'inset(0 0 0 0)' } : {};
}
