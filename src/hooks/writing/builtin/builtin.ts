import { createHash } from 'node:crypto';
import { PLATFORMS, type PlatformId } from '../../platforms.ts';
import { checkHook } from '../../scoring/check-hook.ts';
import { STYLE_IDS, STYLES, type StyleId } from '../../styles.ts';
import type { Language } from '../../text/language.ts';
import { createSimilarityIndex } from '../../text/similarity.ts';
import { countGraphemes } from '../../text/text.ts';
import { fillPattern, readTopic, type Topic } from './fill-pattern.ts';
import { ENGLISH_PATTERNS } from './patterns-en.ts';
import { SPANISH_PATTERNS } from './patterns-es.ts';

export type BuiltinRequest = {
  readonly topic: string;
  readonly count: number;
  readonly language: Language;
  readonly platform: PlatformId;
  /** Default: all. */
  readonly styles?: readonly StyleId[] | undefined;
  readonly forbidden?: readonly string[] | undefined;
  /** The account's recent hooks; none is repeated. */
  readonly avoid: readonly string[];
};

export type BuiltinHook = {
  readonly text: string;
  readonly style: StyleId;
  readonly why: string;
  /** Id of the pattern, such as `mistake-2`. */
  readonly pattern: string;
};

/**
 * Writes hooks without a model, by filling the topic into patterns. Deterministic: the same request returns the same
 * hooks. Returns fewer than requested when the patterns are used up or the topic contains a forbidden word.
 */
export function writeBuiltin(request: BuiltinRequest): BuiltinHook[] {
  const { count, language, platform, forbidden, avoid } = request;
  const earlier = createSimilarityIndex(avoid);
  const written: BuiltinHook[] = [];
  for (const { style, id, text } of candidates(request)) {
    if (written.length === count) break;
    if (checkHook(text, { platform, language, forbidden, earlier }).problems.length > 0) continue;
    earlier.add(text);
    written.push({ text, style, why: STYLES[style].why[language], pattern: id });
  }
  return written;
}

type Candidate = { readonly style: StyleId; readonly id: string; readonly text: string };

const PATTERNS = { en: ENGLISH_PATTERNS, es: SPANISH_PATTERNS } satisfies Record<Language, unknown>;

/**
 * Every pattern of the requested styles: one of each style before the second of any, and within a style those first that
 * the platform shows in full.
 */
function* candidates(request: BuiltinRequest): Iterable<Candidate> {
  const { topic, count, styles = [], avoid } = request;
  const seed = digest(JSON.stringify([topic, count, avoid]));
  const chosen = styles.length > 0 ? [...new Set(styles)] : STYLE_IDS;
  const subject = readTopic(topic);
  const rows = shuffled(chosen, seed).map((style) => filledPatterns(style, subject, seed, request));
  const rounds = Math.max(...rows.map(({ length }) => length));
  for (let round = 0; round < rounds; round++) yield* rows.flatMap((row) => row[round] ?? []);
}

function filledPatterns(style: StyleId, topic: Topic, seed: string, request: BuiltinRequest): Candidate[] {
  const { language, platform } = request;
  const { hard, visible } = PLATFORMS[platform];
  const patterns = PATTERNS[language][style];
  const filled = patterns.map((pattern, at) => {
    const text = fillPattern(pattern, topic, language, hard);
    return { style, id: `${style}-${at + 1}`, text };
  });
  const fits = ({ text }: Candidate) => countGraphemes(text) <= visible;
  const { whole = [], cut = [] } = Object.groupBy(shuffled(filled, `${seed}${style}`), (candidate) =>
    fits(candidate) ? 'whole' : 'cut',
  );
  return [...whole, ...cut];
}

/** The items in an order that depends on the seed alone. */
function shuffled<T>(items: readonly T[], seed: string): T[] {
  const keyed = items.map((item, at) => ({ item, key: digest(`${at} ${seed}`) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
