import { numberFormat, pluralRules } from './formats.ts';
import { language, useLanguage } from './language.ts';
import { type TextKey, textsOf } from './texts.ts';

export type { TextKey } from './texts.ts';

type Values = Readonly<Record<string, string | number>>;

/** A text in the language of the page. A text with `one` and `other` is chosen by the value `count`. */
export function text(key: TextKey, values: Values = {}): string {
  const found = textsOf(language())[key];
  const sentence = typeof found === 'string' ? found : found[pluralOf(Number(values['count']))];
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => shown(values[name]) ?? whole);
}

/** Whether there is a text for a name that comes from data. */
export const isTextKey = (key: string): key is TextKey => key in textsOf(language());

/** The same, for components: they are drawn again when the language changes. */
export function useText(): typeof text {
  useLanguage();
  return text;
}

function pluralOf(count: number): 'one' | 'other' {
  return pluralRules().select(count) === 'one' ? 'one' : 'other';
}

function shown(value: string | number | undefined): string | undefined {
  return typeof value === 'number' ? numberFormat().format(value) : value;
}
