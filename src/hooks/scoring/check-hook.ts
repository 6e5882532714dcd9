import type en from '../../../locales/en.json';
import { PLATFORMS, type PlatformId } from '../platforms.ts';
import { cleanText } from '../text/clean-text.ts';
import { languageOf, looksForeign } from '../text/language.ts';
import { type Likeness, NEAR_DUPLICATE, type SimilarityIndex } from '../text/similarity.ts';
import { countGraphemes, findWord, takeGraphemes } from '../text/text.ts';
import { findFlags, type HookFlag } from './flags.ts';

type NoteKey = keyof typeof en.hooks;

/** What is said of a hook, as a sentence of `hooks` in the locales; a door puts it into words. */
export type Note = { readonly key: NoteKey; readonly params?: Readonly<Record<string, string | number>> };

/** What a hook was written for; it is judged against this. */
export type HookContext = {
  readonly platform: PlatformId;
  /** BCP 47. */
  readonly language: string;
  readonly topic?: string | undefined;
  /** What the content delivers; claims that stand in it need no further proof. */
  readonly payoff?: string | undefined;
  /** Words the brand never uses. */
  readonly forbidden?: readonly string[] | undefined;
  /** The account's earlier hooks and those of the same batch. */
  readonly earlier?: SimilarityIndex | undefined;
};

/** Why a hook cannot be delivered as it is. */
export type HookProblem = 'empty' | 'too_long' | 'forbidden_word' | 'repeats' | 'wrong_language';

export type CheckedHook = {
  /** Cleaned: without control characters, quotes around it, numbering, addresses. */
  readonly text: string;
  /** Graphemes of the text. */
  readonly chars: number;
  /** None when it can be delivered; the note says what to change. */
  readonly problems: readonly { readonly code: HookProblem; readonly note: Note }[];
  readonly flags: readonly HookFlag[];
  /** The earlier hook most like it. */
  readonly nearest: Likeness | undefined;
};

/**
 * Cleans what somebody wrote and finds what stands against delivering it. A text over the platform's limit is shortened
 * at the end of a sentence, or refused: never cut inside one.
 */
export function checkHook(raw: string, context: HookContext): CheckedHook {
  const { hard } = PLATFORMS[context.platform];
  const cleaned = cleanText(raw);
  const text = endWithin(cleaned.text, hard, context.language);
  const chars = countGraphemes(text);
  const nearest = text === '' ? undefined : context.earlier?.nearest(text);
  const flags = findFlags(text, context);
  return {
    text,
    chars,
    problems: findProblems(text, chars, nearest, context),
    flags: cleaned.hadUrl ? [...flags, 'url'] : flags,
    nearest,
  };
}

/** As many whole sentences from the start as fit; the text as it is when not even the first does. */
function endWithin(text: string, limit: number, language: string): string {
  const room = takeGraphemes(text, limit).length;
  if (room === text.length) return text;
  const sentences = new Intl.Segmenter(languageOf(language), { granularity: 'sentence' });
  let kept = '';
  for (const { index, segment } of sentences.segment(text)) {
    const longer = text.slice(0, index + segment.length).trimEnd();
    if (longer.length > room) break;
    kept = longer;
  }
  return kept || text;
}

function findProblems(
  text: string,
  chars: number,
  nearest: Likeness | undefined,
  { platform, language, forbidden = [] }: HookContext,
): CheckedHook['problems'] {
  if (text === '') return [{ code: 'empty', note: { key: 'problem.empty' } }];
  const { hard, label } = PLATFORMS[platform];
  const problems: { code: HookProblem; note: Note }[] = [];
  const report = (code: HookProblem, params: NonNullable<Note['params']>) =>
    problems.push({ code, note: { key: `problem.${code}`, params } });
  if (chars > hard) report('too_long', { chars, limit: hard, platform: label });
  const word = forbidden.find((candidate) => findWord(text, candidate));
  if (word !== undefined) report('forbidden_word', { word });
  if (nearest && nearest.similarity >= NEAR_DUPLICATE) report('repeats', { text: nearest.text });
  if (looksForeign(text, language)) report('wrong_language', { language });
  return problems;
}
