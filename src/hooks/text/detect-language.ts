import { LANGUAGES, type Language } from './language.ts';
import { looksForeign } from './looks-foreign.ts';

/** A language of which nothing is known. */
const UNKNOWN = 'mul';

/** The language a text seems to be in: the preferred one unless it plainly is not, `mul` when it is none of ours. */
export function detectLanguage(text: string, preferred: Language): string {
  const order = [preferred, ...LANGUAGES.filter((language) => language !== preferred)];
  return order.find((language) => !looksForeign(text, language)) ?? UNKNOWN;
}
