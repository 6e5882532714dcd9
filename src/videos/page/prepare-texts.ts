import { dataNumber } from './data-values.ts';
import { fitText } from './fit-text.ts';
import type { Origins } from './origins.ts';
import type { Scenes } from './scenes.ts';
import { RIGHT_TO_LEFT, type SplitUnit, splitLines, splitText } from './split-text.ts';

type PreparedTexts = { readonly entrances: Animation[]; readonly tooLong: string[] };

const MAX_SHOWN_CHARS = 60;

/**
 * Splits and fits texts while their scene is displayed, since hidden elements have no size.
 * @returns their entrance animations, and the texts that do not fit at their smallest size
 */
export function prepareTexts(stage: HTMLElement, scenes: Scenes, origins: Origins): PreparedTexts {
  const fitted = [...stage.querySelectorAll<HTMLElement>('[data-fit]:not([data-captions])')];
  const entering = [...stage.querySelectorAll<HTMLElement>('[data-split], [data-enter]')];
  const pieces = new Map(entering.map((element) => [element, splitBeforeLayout(element)]));
  const inLines = entering.filter((element) => unitOf(element) === 'lines');
  const done = new Set<Element>();
  const tooLong: string[] = [];
  for (const frame of firstFrames(scenes)) {
    scenes.show(frame);
    const isNow = (element: Element) => origins.of(element).isShown && !done.has(element);
    for (const element of fitted.filter(isNow))
      if (!fitText(element, stage)) tooLong.push(startOf(element.textContent));
    for (const element of inLines.filter(isNow)) pieces.set(element, splitLines(element));
    for (const element of [...fitted, ...inLines].filter(isNow)) done.add(element);
  }
  const entrances = [...pieces].flatMap(([element, own]) =>
    enterPieces(element, own, origins.of(element).length),
  );
  return { entrances, tooLong };
}

function startOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}

/** Frames that together show every scene. */
function firstFrames({ all }: Scenes): Set<number> {
  return new Set([0, ...all.filter(({ from, to }) => to > from).map(({ from }) => from)]);
}

/** Lines are known only after layout; an element that is not split is one piece. */
function splitBeforeLayout(element: HTMLElement): HTMLElement[] {
  const unit = unitOf(element);
  if (unit === undefined) return [element];
  return unit === 'lines' ? [] : splitText(element, unit);
}

function unitOf({ dataset, textContent }: HTMLElement): SplitUnit | undefined {
  const unit = dataset['split'];
  if (unit === undefined || unit === 'none') return undefined;
  if (unit === 'lines' || RIGHT_TO_LEFT.test(textContent)) return 'lines';
  return unit === 'letters' ? 'letters' : 'words';
}

type Effect = { readonly from: Keyframe; readonly to?: Keyframe; readonly easing: string };

/** Maximum share of a scene for its entrances, so that short videos remain readable. */
const MAX_SCENE_SHARE = 0.6;

/**
 * Animates pieces in one after the other, as `data-enter`, `data-stagger`, `data-delay` and `data-enter-duration` of
 * their element specify.
 * @param length of the scene in milliseconds
 */
function enterPieces(element: HTMLElement, pieces: readonly HTMLElement[], length: number): Animation[] {
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
  const squeeze = Math.min(1, (length * MAX_SCENE_SHARE) / (total || 1));
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
