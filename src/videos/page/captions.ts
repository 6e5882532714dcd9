import { dataNumber } from './data-values.ts';
import { languageOf } from './element-language.ts';
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

/** A word with the text before it. Times are milliseconds of the video. */
type TimedWord = {
  readonly gap: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** Words that are shown together. Times are milliseconds of the video. */
type Line = { readonly start: number; readonly end: number; readonly words: readonly TimedWord[] };

type Screen = {
  readonly element: HTMLElement;
  readonly isKaraoke: boolean;
  readonly lines: readonly Line[];
  shown: Line | undefined;
  words: readonly Word[];
};

// Times are sums of floating-point numbers; frames are much longer than this.
const ROUNDING_MS = 0.001;

/**
 * Shows captions in the elements with `data-captions`: the current cue, or as many of its words as `data-words` allows,
 * and with `karaoke` its words as they are spoken. With captions, the stage has `data-captioned`, so that a template
 * can leave room for them.
 */
export function createCaptions(stage: HTMLElement, origins: Origins, captions: readonly Caption[]): Captions {
  const screens = [...stage.querySelectorAll<HTMLElement>('[data-captions]')].map((element): Screen => {
    element.replaceChildren();
    const most = dataNumber(element.dataset['words'], Infinity, 1);
    const lines = captions.flatMap((cue) => linesOf(cue, languageOf(element), most));
    const isKaraoke = element.dataset['captions'] !== 'lines';
    return { element, isKaraoke, lines, shown: undefined, words: [] };
  });
  return { show };

  function show(now: number): boolean {
    const at = now + ROUNDING_MS;
    return screens.map((screen) => showOn(screen, at)).includes(true);
  }

  function showOn(screen: Screen, at: number): boolean {
    const line = screen.lines.findLast(({ start, end }) => start <= at && at < end);
    const isOther = line !== screen.shown;
    if (isOther) begin(screen, line);
    screen.shown = line;
    return speak(screen.words, at) || isOther;
  }

  function begin(screen: Screen, shown: Line | undefined): void {
    screen.words = [];
    screen.element.replaceChildren();
    if (!shown) return;
    const { start, end, words } = shown;
    const line = document.createElement('span');
    line.toggleAttribute('data-cue', true);
    origins.set(line, { start, length: end - start, isShown: true });
    if (screen.isKaraoke) screen.words = writeWords(line, words);
    else line.textContent = words.map(({ gap, text }, at) => (at === 0 ? text : gap + text)).join('');
    for (const { element, start, end } of screen.words)
      origins.set(element, { start, length: end - start, isShown: true });
    screen.element.append(line);
    if (screen.element.hasAttribute('data-fit')) fitText(screen.element, stage);
  }
}

function writeWords(line: HTMLElement, words: readonly TimedWord[]): Word[] {
  return words.map(({ gap, text, start, end }, at) => {
    const element = document.createElement('span');
    element.toggleAttribute('data-word', true);
    element.textContent = text;
    line.append(...(at === 0 || gap === '' ? [element] : [gap, element]));
    return { element, start, end };
  });
}

/** Cuts a cue into lines of nearly equal length. Each is shown until the next one begins. */
function linesOf(cue: Caption, language: string, most: number): Line[] {
  const words = cue.words?.length ? spokenWords(cue, cue.words) : guessedWords(cue, language);
  const count = Math.max(1, Math.ceil(words.length / most));
  const cuts = Array.from({ length: count + 1 }, (_, at) => Math.round((at * words.length) / count));
  return Array.from({ length: count }, (_, at) => ({
    start: at === 0 ? cue.start * 1000 : (words[cuts[at] ?? 0]?.start ?? cue.start * 1000),
    end: words[cuts[at + 1] ?? words.length]?.start ?? cue.end * 1000,
    words: words.slice(cuts[at], cuts[at + 1]),
  }));
}

function spokenWords({ text }: Caption, words: NonNullable<Caption['words']>): TimedWord[] {
  let from = 0;
  return words.map((word) => {
    const found = text.indexOf(word.text, from);
    const gap = found < 0 ? ' ' : text.slice(from, found);
    if (found >= 0) from = found + word.text.length;
    return { gap, text: word.text, start: word.start * 1000, end: word.end * 1000 };
  });
}

/** Each word gets the share of its cue's time that it has of the letters. */
function guessedWords({ start, end, text }: Caption, language: string): TimedWord[] {
  const parts = wordsOf(text, language);
  const letters = parts.reduce((sum, { text, isWord }) => sum + (isWord ? text.length : 0), 0) || 1;
  const moment = (before: number) => (start + ((end - start) * before) / letters) * 1000;
  let before = 0;
  let gap = '';
  const words: TimedWord[] = [];
  for (const part of parts) {
    if (!part.isWord) {
      gap += part.text;
      continue;
    }
    const after = before + part.text.length;
    words.push({ gap, text: part.text, start: moment(before), end: moment(after) });
    before = after;
    gap = '';
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
