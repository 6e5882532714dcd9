import { dataNumber } from './data-values.ts';

type Effect = { readonly from: Keyframe; readonly to?: Keyframe; readonly easing: string };

/** The longest share of its scene that a text takes to be there, so that short videos can be read too. */
const MOST_OF_SCENE = 0.6;

/**
 * Lets pieces come one after the other, as `data-enter`, `data-stagger`, `data-delay` and `data-enter-duration` of
 * their element say.
 * @param length of the scene, in milliseconds
 */
export function enterPieces(
  element: HTMLElement,
  pieces: readonly HTMLElement[],
  length: number,
): Animation[] {
  const { enter = 'up', stagger, delay, enterDuration } = element.dataset;
  const effect = EFFECTS[enter];
  if (!effect) return [];
  const ms = {
    delay: dataNumber(delay, 0) * 1000,
    stagger: dataNumber(stagger, 0.06) * 1000,
    duration: dataNumber(enterDuration, 0.6) * 1000,
  };
  const indexes = pieces.map((piece) =>
    piece === element ? 0 : Number(piece.style.getPropertyValue('--i')),
  );
  const total = ms.delay + ms.stagger * Math.max(0, ...indexes) + ms.duration;
  const squeeze = Math.min(1, (length * MOST_OF_SCENE) / (total || 1));
  return pieces.map((piece, at) =>
    piece.animate([effect.from, effect.to ?? {}], {
      delay: (ms.delay + ms.stagger * (indexes[at] ?? 0)) * squeeze,
      duration: ms.duration * squeeze,
      easing: effect.easing,
      fill: 'backwards',
    }),
  );
}

const SOFT = 'cubic-bezier(.16, 1, .3, 1)';

const EFFECTS: Readonly<Record<string, Effect>> = {
  up: { from: { opacity: 0, translate: '0 60%' }, easing: SOFT },
  fade: { from: { opacity: 0 }, easing: 'ease-out' },
  pop: { from: { opacity: 0, scale: 0.6 }, easing: 'cubic-bezier(.34, 1.56, .64, 1)' },
  blur: { from: { opacity: 0, filter: 'blur(.3em)' }, to: { filter: 'blur(0)' }, easing: SOFT },
};
