import type en from '../../../locales/en.json';
import { PLATFORMS, type PlatformId } from '../platforms.ts';
import { cleanText } from '../text/clean-text.ts';
import { languageOf, looksForeign } from '../text/language.ts';
import { type Match, NEAR_DUPLICATE, type SimilarityIndex } from '../text/similarity.ts';
import { countGraphemes, findWord, takeGraphemes } from '../text/text.ts';
import { findFlags, type HookFlag } from './flags.ts';

/** A finding on a hook: a key of `hooks` in the locales with its parameters. Tools localize it. */
export type ScoreReason = {
  readonly key: keyof typeof en.hooks;
  readonly params?: Readonly<Record<string, string | number>>;
};

/** What a hook was written for; checks and scores depend on it. */
export type HookContext = {
  readonly platform: PlatformId;
  /** BCP 47. */
  readonly language: string;
  readonly topic?: string | undefined;
  /** What the content delivers; a claim it contains needs no further proof. */
  readonly payoff?: string | undefined;
  /** Words the brand never uses. */
  readonly forbidden?: readonly string[] | undefined;
  /** The account's earlier hooks and those of the same batch. */
  readonly earlier?: SimilarityIndex | undefined;
  /** The words of the built-in pattern that the hook fills; an earlier hook with the same is no repetition. */
  readonly frame?: string | undefined;
};

/** Why a hook cannot be delivered. */
export type HookProblem = 'empty' | 'too_long' | 'forbidden_word' | 'repeats' | 'wrong_language';

export type CheckedHook = {
  /** Cleaned: without control characters, surrounding quotes, numbering and URLs. */
  readonly text: string;
  /** Graphemes of the text. */
  readonly chars: number;
  /** Empty when the hook can be delivered; the reason says what to change. */
  readonly problems: readonly { readonly code: HookProblem; readonly reason: ScoreReason }[];
  readonly flags: readonly HookFlag[];
  /** The most similar earlier hook. */
  readonly nearest: Match | undefined;
};

/**
 * Cleans a written hook and finds its problems and flags. A text over the platform's limit is shortened to whole
 * sentences or rejected, never cut inside one.
 */
export function checkHook(raw: string, context: HookContext): CheckedHook {
  const { hard } = PLATFORMS[context.platform];
  const cleaned = cleanText(raw);
  const text = trimToSentences(cleaned.text, hard, context.language);
  const chars = countGraphemes(text);
  const nearest = text === '' ? undefined : context.earlier?.nearest(text, context.frame);
  const flags = findFlags(text, context);
  return {
    text,
    chars,
    problems: findProblems(text, chars, nearest, context),
    flags: cleaned.hadUrl ? [...flags, 'url'] : flags,
    nearest,
  };
}

/** As many whole sentences as fit; the unchanged text when not even the first fits. */
function trimToSentences(text: string, limit: number, language: string): string {
  const available = takeGraphemes(text, limit).length;
  if (available === text.length) return text;
  const sentences = new Intl.Segmenter(languageOf(language), { granularity: 'sentence' });
  let kept = '';
  for (const { index, segment } of sentences.segment(text)) {
    const longer = text.slice(0, index + segment.length).trimEnd();
    if (longer.length > available) break;
    kept = longer;
  }
  return kept || text;
}

function findProblems(
  text: string,
  chars: number,
  nearest: Match | undefined,
  { platform, language, forbidden = [] }: HookContext,
): CheckedHook['problems'] {
  if (text === '') return [{ code: 'empty', reason: { key: 'problem.empty' } }];
  const { hard, label } = PLATFORMS[platform];
  const problems: { code: HookProblem; reason: ScoreReason }[] = [];
  const report = (code: HookProblem, params: NonNullable<ScoreReason['params']>) =>
    problems.push({ code, reason: { key: `problem.${code}`, params } });
  if (chars > hard) report('too_long', { chars, limit: hard, platform: label });
  const word = forbidden.find((candidate) => findWord(text, candidate));
  if (word !== undefined) report('forbidden_word', { word });
  if (nearest && nearest.similarity >= NEAR_DUPLICATE) report('repeats', { text: nearest.text });
  if (looksForeign(text, language)) report('wrong_language', { language });
  return problems;
}
