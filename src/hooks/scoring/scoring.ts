import { PLATFORMS } from '../platforms.ts';
import { type Language, languageOf } from '../text/language.ts';
import { createSimilarityIndex, type Match, NEAR_DUPLICATE } from '../text/similarity.ts';
import { spokenSeconds } from '../text/text.ts';
import { type CheckedHook, checkHook, type HookContext, type ScoreReason } from './check-hook.ts';
import { clichedOpening, findSuperlative } from './cliches.ts';
import { locateTopic, specificDetails, tensionCues, voiceWord } from './craft-signals.ts';
import { ORDERS } from './grammar-words.ts';
import { type Reading, readSentence } from './sentence.ts';

/** The points of one rule. */
type Component = {
  readonly name:
    | 'fit'
    | 'topic'
    | 'sentence'
    | 'specific'
    | 'tension'
    | 'voice'
    | 'spoken'
    | 'fresh'
    | 'distinct';
  readonly points: number;
  readonly of: number;
  readonly reason: ScoreReason;
};

type CraftScore = {
  /** 0 to 100: the share of the possible points of the rules that apply. */
  readonly score: number;
  /** Omits rules that do not apply, such as the topic rule without a topic. */
  readonly components: readonly Component[];
};

type MeasuredHook = {
  readonly text: string;
  /** Graphemes. */
  readonly chars: number;
  readonly nearest: Match | undefined;
};

export type EvaluatedHook = CheckedHook & CraftScore & { readonly seconds: number };

/**
 * In: a written hook and its platform, language and topic. Out: the cleaned text, problems that prevent its delivery
 * (check-hook), flags to review before publishing (flags), and a craft score from 0 to 100 with the reason of each rule.
 *
 * The rules: it fits the platform, names the topic early (craft-signals), reads as a sentence (sentence), is specific,
 * leaves something open, speaks to someone, is quick to say, avoids clichés and superlatives (cliches), and differs from
 * earlier hooks. Details, tension and voice count only in what reads as a sentence, and nothing of the topic counts.
 *
 * Invariant: pure and deterministic. A score measures craft; it does not predict views.
 */
export function evaluateHook(raw: string, context: HookContext): EvaluatedHook {
  const checked = checkHook(raw, context);
  return { ...checked, ...scoreHook(checked, context), seconds: spokenSeconds(checked.text) };
}

/** Scores hooks as one batch: each is also compared with those before it. */
export function scoreHooks(texts: readonly string[], context: Omit<HookContext, 'earlier'>): EvaluatedHook[] {
  const earlier = createSimilarityIndex();
  return texts.map((text) => {
    const evaluated = evaluateHook(text, { ...context, earlier });
    earlier.add(evaluated.text);
    return evaluated;
  });
}

/** Deterministic: the same hook in the same context has the same score. */
function scoreHook(hook: MeasuredHook, context: HookContext): CraftScore {
  const language = languageOf(context.language);
  const reading = language && readSentence(hook.text, language, context.topic);
  const components = [
    platformFit(hook, context),
    topic(hook, context),
    reading && sentence(reading),
    specific(hook, context, reading),
    reading && tension(hook, context.topic ?? '', language, reading),
    reading && voice(hook, language, reading),
    spoken(hook, context),
    language && fresh(hook, context.topic ?? '', language),
    distinct(hook),
  ].filter((component) => component !== undefined);
  const points = components.reduce((sum, component) => sum + component.points, 0);
  const of = components.reduce((sum, component) => sum + component.of, 0);
  return { score: hook.text === '' ? 0 : Math.round((100 * points) / of), components };
}

function platformFit({ chars }: MeasuredHook, { platform }: HookContext): Component {
  const { hard, visible, label } = PLATFORMS[platform];
  const component = { name: 'fit', of: 10 } as const;
  const params = { platform: label, chars, visible, limit: hard };
  if (chars > hard) return { ...component, points: 0, reason: { key: 'fit.over', params } };
  if (chars <= visible) return { ...component, points: 10, reason: { key: 'fit.whole', params } };
  return {
    ...component,
    points: decreasing(chars, visible, visible * 2, 10),
    reason: { key: 'fit.cut', params },
  };
}

function topic({ text }: MeasuredHook, context: HookContext): Component | undefined {
  const place = locateTopic(text, context.topic ?? '', FIRST_WORDS);
  if (place === undefined) return undefined;
  const points = { early: 5, late: 3, absent: 0 }[place.where];
  const params = { word: place.word, words: FIRST_WORDS };
  return { name: 'topic', of: 5, points, reason: { key: `topic.${place.where}`, params } };
}

const FIRST_WORDS = 8;

function sentence(reading: Reading): Component {
  const component = { name: 'sentence', of: 20 } as const;
  const key = `sentence.${reading.as}` as const;
  const points = { sentence: 20, phrase: 8, loose: 0, repeats: 0, placeholder: 0, broken: 0 }[reading.as];
  return {
    ...component,
    points,
    reason: { key, ...('word' in reading && { params: { word: reading.word } }) },
  };
}

/** How much of the points for details, tension and voice a text can reach. */
function shareOf(reading: Reading | undefined): number {
  if (reading === undefined || reading.as === 'sentence') return 1;
  return reading.as === 'phrase' ? 0.5 : 0;
}

function specific({ text }: MeasuredHook, context: HookContext, reading: Reading | undefined): Component {
  const component = { name: 'specific', of: 15 } as const;
  const share = shareOf(reading);
  if (share === 0) return { ...component, points: 0, reason: { key: 'sentence.first' } };
  const details = specificDetails(text, context.topic ?? '', context.language).slice(0, 3);
  const params = { details: details.join(', ') };
  if (details.length === 0) return { ...component, points: 0, reason: { key: 'specific.vague' } };
  if (details.length === 1)
    return { ...component, points: Math.round(10 * share), reason: { key: 'specific.some', params } };
  return { ...component, points: Math.round(15 * share), reason: { key: 'specific.rich', params } };
}

function tension({ text }: MeasuredHook, topic: string, language: Language, reading: Reading): Component {
  const component = { name: 'tension', of: 20 } as const;
  const share = shareOf(reading);
  if (share === 0) return { ...component, points: 0, reason: { key: 'sentence.first' } };
  const cues = tensionCues(text, topic, language).slice(0, 3);
  const params = { cues: cues.join(', ') };
  if (cues.length === 0) return { ...component, points: 0, reason: { key: 'tension.flat' } };
  if (cues.length === 1)
    return { ...component, points: Math.round(13 * share), reason: { key: 'tension.some', params } };
  return { ...component, points: Math.round(20 * share), reason: { key: 'tension.open', params } };
}

function voice({ text }: MeasuredHook, language: Language, reading: Reading): Component {
  const component = { name: 'voice', of: 10 } as const;
  const share = shareOf(reading);
  if (share === 0) return { ...component, points: 0, reason: { key: 'sentence.first' } };
  const word = voiceWord(text, ORDERS[language], language);
  if (word === undefined) return { ...component, points: 0, reason: { key: 'voice.absent' } };
  return { ...component, points: Math.round(10 * share), reason: { key: 'voice.heard', params: { word } } };
}

function spoken({ text }: MeasuredHook, { platform }: HookContext): Component | undefined {
  const limit = PLATFORMS[platform].spokenSeconds;
  if (limit === null) return undefined;
  const seconds = spokenSeconds(text);
  const key = seconds <= limit ? 'spoken.short' : 'spoken.long';
  return {
    name: 'spoken',
    of: 5,
    points: decreasing(seconds, limit, limit * 2, 5),
    reason: { key, params: { seconds, limit } },
  };
}

function fresh({ text }: MeasuredHook, topic: string, language: Language): Component {
  const component = { name: 'fresh', of: 10 } as const;
  const opener = clichedOpening(text, language);
  if (opener) return { ...component, points: 0, reason: { key: 'fresh.worn', params: { words: opener } } };
  const claim = findSuperlative(text, topic, language);
  if (claim)
    return { ...component, points: 3, reason: { key: 'fresh.superlative', params: { words: claim } } };
  return { ...component, points: 10, reason: { key: 'fresh.clean' } };
}

// Up to this similarity two hooks share only their topic.
const UNRELATED = 0.4;

function distinct({ nearest }: MeasuredHook): Component {
  const component = { name: 'distinct', of: 5 } as const;
  if (!nearest || nearest.similarity <= UNRELATED)
    return { ...component, points: 5, reason: { key: 'distinct.new' } };
  const points = decreasing(nearest.similarity, UNRELATED, NEAR_DUPLICATE, 5);
  return { ...component, points, reason: { key: 'distinct.like', params: { text: nearest.text } } };
}

/** All points up to `good`, none from `bad` on, linear in between. */
function decreasing(value: number, good: number, bad: number, points: number): number {
  if (value <= good) return points;
  return Math.max(0, Math.round((points * (bad - value)) / (bad - good)));
}
