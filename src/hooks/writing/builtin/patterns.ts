import type { StyleId } from '../../styles.ts';
import type { Language } from '../../text/language.ts';
import english from './patterns.en.json' with { type: 'json' };
import spanish from './patterns.es.json' with { type: 'json' };
import type { TopicClass } from './topic.ts';

/**
 * The patterns by class of topic and style. They claim nothing that only the author can know: no figures about the world,
 * no people, no experience. The Spanish ones are written in Spanish, not translated, and address the reader as «tú».
 */
export const PATTERNS = { en: english, es: spanish } satisfies Record<
  Language,
  Record<TopicClass, Record<StyleId, readonly string[]>>
>;
