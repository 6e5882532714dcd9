import { createHash } from 'node:crypto';
import { PLATFORMS, type PlatformId } from '../../platforms.ts';
import { checkHook } from '../../scoring/check-hook.ts';
import { STYLE_IDS, STYLES, type StyleId } from '../../styles.ts';
import type { Language } from '../../text/language.ts';
import { createSimilarityIndex } from '../../text/similarity.ts';
import { countGraphemes } from '../../text/text.ts';
import { fillPattern, frameOf, isLabel } from './fill-pattern.ts';
import { PATTERNS } from './patterns.ts';
import { readTopic, type Topic, type TopicClass } from './topic.ts';

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
  /** Id of the pattern, such as `skill-mistake-2`. */
  readonly pattern: string;
  /** The words of the pattern; they are no repetition. */
  readonly frame: string;
};

/**
 * Writes hooks without a model, by filling the topic into patterns of its class, then into general ones. Deterministic: the
 * same request returns the same hooks. Returns fewer than requested when the patterns are used up for this topic, or the
 * topic contains a forbidden word.
 * In: a topic, a platform and what not to repeat. Out: hooks with the pattern of each. Invariant: every hook has
 * passed `checkHook`.
 */
export function writeBuiltin(request: BuiltinRequest): BuiltinHook[] {
  const { count, language, platform, forbidden, avoid } = request;
  const earlier = createSimilarityIndex(avoid);
  const written: BuiltinHook[] = [];
  for (const { style, id, text, frame } of candidates(request)) {
    if (written.length === count) break;
    if (checkHook(text, { platform, language, forbidden, earlier, frame }).problems.length > 0) continue;
    earlier.add(text);
    written.push({ text, style, why: STYLES[style].why[language], pattern: id, frame });
  }
  return written;
}

type Candidate = {
  readonly style: StyleId;
  readonly id: string;
  readonly text: string;
  readonly frame: string;
  /** Whether the topic is a label in it, not part of a sentence. */
  readonly isLabel: boolean;
};

/**
 * Every pattern of the requested styles: one of each style before the second of any. Within a style those of the topic's
 * class come before the general ones, those first that the platform shows in full, and labels last.
 */
function* candidates(request: BuiltinRequest): Iterable<Candidate> {
  const { topic, count, styles = [], avoid, language } = request;
  const seed = digest(JSON.stringify([topic, count, avoid]));
  const chosen = styles.length > 0 ? [...new Set(styles)] : STYLE_IDS;
  const subject = readTopic(topic, language);
  const rows = shuffled(chosen, seed).map((style) => filledPatterns(style, subject, seed, request));
  const rounds = Math.max(...rows.map(({ length }) => length));
  for (let round = 0; round < rounds; round++) yield* rows.flatMap((row) => row[round] ?? []);
}

function filledPatterns(style: StyleId, topic: Topic, seed: string, request: BuiltinRequest): Candidate[] {
  const { visible } = PLATFORMS[request.platform];
  const classes: readonly TopicClass[] = topic.about === 'general' ? ['general'] : [topic.about, 'general'];
  const isWhole = ({ text }: Candidate) => countGraphemes(text) <= visible;
  return classes
    .map((about) => shuffled(filledOf(about, style, topic, request), `${seed}${style}`))
    .map((filled) => filled.toSorted(topic.asks ? questionFirst : sentenceFirst))
    .flatMap((filled) => [...filled.filter(isWhole), ...filled.filter((candidate) => !isWhole(candidate))]);
}

/** The topic reads better inside a sentence than as a label before it. */
function sentenceFirst(one: Candidate, other: Candidate): number {
  return Number(one.isLabel) - Number(other.isLabel);
}

/** A question reads better before its remark than after it. */
function questionFirst(one: Candidate, other: Candidate): number {
  return Number(other.frame.startsWith(' ')) - Number(one.frame.startsWith(' '));
}

function filledOf(
  about: TopicClass,
  style: StyleId,
  topic: Topic,
  { language, platform }: BuiltinRequest,
): Candidate[] {
  return PATTERNS[language][about][style].flatMap((pattern, at) => {
    const text = fillPattern(pattern, topic, language, PLATFORMS[platform].hard);
    if (text === undefined) return [];
    return [
      { style, id: `${about}-${style}-${at + 1}`, text, frame: frameOf(pattern), isLabel: isLabel(pattern) },
    ];
  });
}

/** The items in an order that depends on the seed alone. */
function shuffled<T>(items: readonly T[], seed: string): T[] {
  const keyed = items.map((item, at) => ({ item, key: digest(`${at} ${seed}`) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
