import type { Language } from '../../../src/hooks/text/language.ts';
import { writeBuiltin } from '../../../src/hooks/writing/builtin/builtin.ts';
import { READ_TOPICS } from './topics.ts';

/** One of ten hooks for each topic: the first of the first topic, the fourth of the second, and so on. */
export function builtinSamples(language: Language): string[] {
  return READ_TOPICS[language].map((topic, at) => {
    const hooks = writeBuiltin({ topic, count: 10, language, platform: 'generic', avoid: [] });
    return hooks[(at * 3) % hooks.length]?.text ?? '';
  });
}
