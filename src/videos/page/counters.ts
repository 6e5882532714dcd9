import { dataNumber } from './data-values.ts';
import { languageOf } from './element-language.ts';
import type { Origin, Origins } from './origins.ts';

export type Counters = {
  /** Writes the numbers at a time in milliseconds; true when a displayed one changed. */
  show(now: number): boolean;
  /** Writes the final numbers, which show how much space they need. */
  finish(): void;
};

type Counter = {
  readonly element: HTMLElement;
  readonly origin: Origin;
  readonly textAt: (local: number) => string;
};

const STANDARD_SECONDS = 1.2;

/** Elements that count up to `data-count-to`. */
export function createCounters(stage: HTMLElement, origins: Origins): Counters {
  const counters = [...stage.querySelectorAll<HTMLElement>('[data-count-to]')].map((element): Counter => {
    const origin = origins.of(element);
    return { element, origin, textAt: counting(element, origin.length) };
  });
  return {
    show(now) {
      let changed = false;
      for (const { element, origin, textAt } of counters) {
        if (!origin.isShown) continue;
        const text = textAt(now - origin.start);
        if (text === element.textContent) continue;
        element.textContent = text;
        changed = true;
      }
      return changed;
    },
    finish() {
      for (const { element, origin, textAt } of counters) element.textContent = textAt(origin.length);
    },
  };
}

/** A number, or a share of the final one such as `60%`. */
function startOf(text: string | undefined, to: number): number {
  if (!text?.trim().endsWith('%')) return dataNumber(text, 0, -Infinity);
  return (to * dataNumber(text.trim().slice(0, -1), 0, -Infinity)) / 100;
}

/** @param length of the scene in milliseconds; the final number is reached by then */
function counting(element: HTMLElement, length: number): (local: number) => string {
  const { dataset } = element;
  const to = dataNumber(dataset['countTo'], 0, -Infinity);
  const from = startOf(dataset['countFrom'], to);
  const digits = Math.min(10, Math.round(dataNumber(dataset['countDecimals'], 0)));
  const delay = Math.min(dataNumber(dataset['countDelay'] ?? dataset['delay'], 0) * 1000, length);
  const wanted = dataNumber(dataset['countDuration'], STANDARD_SECONDS) * 1000;
  const duration = Math.min(wanted, length - delay);
  const format = new Intl.NumberFormat(languageOf(element, dataset['locale']), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (local) => {
    const share =
      duration > 0 ? Math.min(1, Math.max(0, (local - delay) / duration)) : Number(local >= delay);
    const number = share === 1 ? to : from + (to - from) * (1 - (1 - share) ** 4);
    return `${dataset['countPrefix'] ?? ''}${format.format(number)}${dataset['countSuffix'] ?? ''}`;
  };
}
