import { enterPieces } from './enter-effects.ts';
import { fitText } from './fit-text.ts';
import type { Origins } from './origins.ts';
import type { Scenes } from './scenes.ts';
import { RIGHT_TO_LEFT, splitLines } from './split-lines.ts';
import { type SplitUnit, splitText } from './split-text.ts';

/**
 * Splits and fits the texts, each while its scene is displayed, since what is not has no size.
 * @returns their entrances
 */
export function prepareTexts(stage: HTMLElement, scenes: Scenes, origins: Origins): Animation[] {
  const fitted = [...stage.querySelectorAll<HTMLElement>('[data-fit]:not([data-captions])')];
  const entering = [...stage.querySelectorAll<HTMLElement>('[data-split], [data-enter]')];
  const pieces = new Map(entering.map((element) => [element, splitBeforeLayout(element)]));
  const inLines = entering.filter((element) => unitOf(element) === 'lines');
  const done = new Set<Element>();
  for (const frame of firstFrames(scenes)) {
    scenes.show(frame);
    const isNow = (element: Element) => origins.of(element).isShown && !done.has(element);
    for (const element of fitted.filter(isNow)) fitText(element, stage);
    for (const element of inLines.filter(isNow)) pieces.set(element, splitLines(element));
    for (const element of [...fitted, ...inLines].filter(isNow)) done.add(element);
  }
  return [...pieces].flatMap(([element, own]) => enterPieces(element, own, origins.of(element).length));
}

/** Frames that between them show every scene. */
function firstFrames({ all }: Scenes): Set<number> {
  return new Set([0, ...all.filter(({ from, to }) => to > from).map(({ from }) => from)]);
}

/** Lines are known only when the text has its size; an element that is not split is a piece itself. */
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
