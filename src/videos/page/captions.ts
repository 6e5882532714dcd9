import { languageOf } from './data-values.ts';
import { fitText } from './fit-text.ts';
import type { Origins } from './origins.ts';
import { wordsOf } from './split-text.ts';
import type { Caption } from './stage-options.ts';

type Captions = {
  /** Shows the caption at a time in milliseconds; true when it changed. */
  show(now: number): boolean;
};

/** A word and the milliseconds of the video between which it is spoken. */
type Word = { readonly element: HTMLElement; readonly start: number; readonly end: number };

type Screen = { readonly element: HTMLElement; readonly isKaraoke: boolean; words: readonly Word[] };

// Times are sums of floating-point numbers; frames are much longer than this.
const ROUNDING_MS = 0.001;

/**
 * Shows captions in the elements with `data-captions`: the current cue, and with `karaoke` its words as they are
 * spoken.
 */
export function createCaptions(stage: HTMLElement, origins: Origins, captions: readonly Caption[]): Captions {
  const screens = [...stage.querySelectorAll<HTMLElement>('[data-captions]')].map((element): Screen => {
    element.replaceChildren();
    return { element, isKaraoke: element.dataset['captions'] !== 'lines', words: [] };
  });
  let shown: Caption | undefined;
  return { show };

  function show(now: number): boolean {
    if (screens.length === 0) return false;
    const cue = captions.findLast(
      ({ start, end }) => start * 1000 <= now + ROUNDING_MS && now + ROUNDING_MS < end * 1000,
    );
    const isOther = cue !== shown;
    if (isOther) for (const screen of screens) begin(screen, cue);
    shown = cue;
    const isSpoken = screens.map(({ words }) => speak(words, now + ROUNDING_MS)).includes(true);
    return isOther || isSpoken;
  }

  function begin(screen: Screen, cue: Caption | undefined): void {
    screen.words = [];
    screen.element.replaceChildren();
    if (!cue) return;
    const line = document.createElement('span');
    line.toggleAttribute('data-cue', true);
    const [start, length] = [cue.start * 1000, (cue.end - cue.start) * 1000];
    origins.set(line, { start, length, isShown: true });
    if (screen.isKaraoke) screen.words = writeWords(line, cue, languageOf(screen.element));
    else line.textContent = cue.text;
    for (const { element, start, end } of screen.words)
      origins.set(element, { start, length: end - start, isShown: true });
    screen.element.append(line);
    if (screen.element.hasAttribute('data-fit')) fitText(screen.element, stage);
  }
}

/** Each word gets the share of its cue's time that it has of the letters. */
function writeWords(line: HTMLElement, { start, end, text }: Caption, language: string): Word[] {
  const parts = wordsOf(text, language);
  const letters = parts.reduce((sum, { text, isWord }) => sum + (isWord ? text.length : 0), 0) || 1;
  const moment = (before: number) => (start + ((end - start) * before) / letters) * 1000;
  let before = 0;
  const words: Word[] = [];
  for (const { text, isWord } of parts) {
    if (!isWord) {
      line.append(text);
      continue;
    }
    const element = document.createElement('span');
    element.toggleAttribute('data-word', true);
    element.textContent = text;
    line.append(element);
    words.push({ element, start: moment(before), end: moment(before + text.length) });
    before += text.length;
  }
  return words;
}

function speak(words: readonly Word[], now: number): boolean {
  let changed = false;
  for (const { element, start, end } of words) {
    const [isSaid, isNow] = [start <= now, start <= now && now < end];
    if (element.hasAttribute('data-said') === isSaid && element.hasAttribute('data-now') === isNow) continue;
    element.toggleAttribute('data-said', isSaid);
    element.toggleAttribute('data-now', isNow);
    changed = true;
  }
  return changed;
}
