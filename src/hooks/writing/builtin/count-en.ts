import { PREPOSITIONS } from './action-en.ts';
import { wordSet } from './word-lists.ts';

/** The title of a list: '5 mistakes when repotting houseplants', but not '24 hours in Lisbon' or '2 bedroom apartments'. */
export function isNumbered([count = '', ...rest]: readonly string[]): boolean {
  const end = rest.findIndex((word) => PREPOSITIONS.has(word) || word === 'to');
  const counted = rest.slice(0, Math.min(end === -1 ? 3 : end, 3));
  return COUNT.test(count) && !UNIT.test(counted[0] ?? '') && counted.some(isPlural);
}

const COUNT = /^(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)$/;
const UNIT =
  /^(?:second|minute|hour|day|night|week|month|year|euro|dollar|pound|piece|part|pack|course|bedroom|room|door|inche?|mile|person)s?$|^(?:cm|mm|km|kg|ml|oz|lb|feet|am|pm)$/;

const SINGULAR_S = /(?:ss|us|is|news|ics|series|lens|gas|chess|olympics)$/;

export function isPlural(word: string): boolean {
  return (word.endsWith('s') && !SINGULAR_S.test(word)) || PLURALS.has(word);
}

const PLURALS = wordSet('people children men women kids teeth feet mice');
