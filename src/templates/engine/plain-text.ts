import type { Meter } from './meter.ts';

const ARRAY_LEVELS = 32;

/** The text Handlebars prints for a JSON value, found without calling anything the data could carry, such as a field named `toString`. */
export function plainText(value: unknown, meter: Meter): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return listText(value, meter, 0);
  if (typeof value === 'object') return '[object Object]';
  return String(value);
}

function listText(list: readonly unknown[], meter: Meter, level: number): string {
  let text = '';
  for (let index = 0; index < list.length; index++) {
    if ((index & 1023) === 0) meter.checkTime();
    const item = list[index];
    if (index > 0) text += ',';
    if (!Array.isArray(item)) text += plainText(item, meter);
    else if (level < ARRAY_LEVELS) text += listText(item, meter, level + 1);
  }
  meter.checkFits(text.length);
  return text;
}
