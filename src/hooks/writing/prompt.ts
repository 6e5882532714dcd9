import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Brief, Message, Written } from '../../ai/ai.ts';
import type { Prompts } from '../../ai/prompts.ts';
import type { BrandVoice } from '../brand-voices.ts';
import { PLATFORMS, type PlatformId } from '../platforms.ts';
import { CLICHED_OPENINGS } from '../scoring/cliches.ts';
import { STYLES, type StyleId } from '../styles.ts';
import { languageOf } from '../text/language.ts';
import type { HookRequest } from './generation-request.ts';
import { createHookReader } from './read-hooks.ts';

/** A hook as its writer gives it: style and pattern are the writer's claim. */
const RawHook = z.object({
  text: z.string(),
  style: z.string(),
  why: z.string(),
  pattern: z.string(),
});
type RawHook = z.output<typeof RawHook>;

export type WrittenHooks = { hooks: RawHook[] };

/** What the prompt is built from. */
export type PromptInput = {
  readonly input: Omit<HookRequest, 'apiKey'>;
  readonly platform: PlatformId;
  /** Undefined: that of the topic. */
  readonly language: string | undefined;
  /** The detected language of the topic. */
  readonly guess: string;
  readonly styles: readonly StyleId[];
  readonly voice?: BrandVoice | undefined;
  /** The account's recent hooks, the latest first. */
  readonly recent: readonly string[];
};

const TOKENS_A_HOOK = 220;
const TOKENS_BEFORE = 400;
/** Enough to show a model what to avoid; all recent hooks are compared afterwards. */
const RECENT_SHOWN = 20;

/**
 * The prompt for `count` hooks. Everything the caller wrote goes into one JSON object in the user's message, so that
 * nothing in it can pass for instructions.
 */
export function briefOf(prompts: Prompts, parts: PromptInput, count: number): Brief<WrittenHooks> {
  return {
    instructions: instructionsOf(prompts, parts),
    messages: [{ role: 'user', text: JSON.stringify(materialOf(parts, count)) }],
    // With a first hook finished, only the missing ones are asked for again.
    answer: {
      name: 'hooks',
      schema: answerOf(parts.styles),
      finished: (text) => {
        const hooks = finishedHooks(text);
        return hooks.length > 0 ? { hooks } : undefined;
      },
    },
    maxTokens: TOKENS_BEFORE + count * TOKENS_A_HOOK,
  };
}

/** Asks for the missing hooks, with the reasons the others were rejected; after a cut answer with twice the limit. */
export function topUpOf(
  brief: Brief<WrittenHooks>,
  { answer, cut }: Pick<Written<WrittenHooks>, 'answer' | 'cut'>,
  {
    missing,
    accepted,
    refused,
  }: { missing: number; accepted: readonly string[]; refused: readonly object[] },
): Brief<WrittenHooks> {
  const wanted = { count: missing, already_taken: accepted, could_not_be_used: refused };
  const more: readonly Message[] = [
    { role: 'assistant', text: JSON.stringify(answer) },
    { role: 'user', text: JSON.stringify(wanted) },
  ];
  return {
    ...brief,
    messages: [...brief.messages, ...more],
    // What is finished is enough: there are hooks already, and this was the second request.
    answer: { ...brief.answer, finished: (text) => ({ hooks: finishedHooks(text) }) },
    maxTokens: cut ? 2 * brief.maxTokens : brief.maxTokens,
  };
}

/** The whole hooks of a text that breaks off. */
function finishedHooks(text: string): RawHook[] {
  const hooks: RawHook[] = [];
  const read = createHookReader((object) => {
    const { data } = RawHook.safeParse(object);
    if (data) hooks.push(data);
  });
  read(text);
  return hooks;
}

function instructionsOf(prompts: Prompts, { platform, guess, styles }: PromptInput): string {
  const { label, hard, visible, spokenSeconds } = PLATFORMS[platform];
  const own = languageOf(guess) ?? 'en';
  const key = [platform, own, ...styles].join();
  const known = filled.get(key);
  if (known !== undefined) return known;
  const instructions = prompts.fill('hooks', {
    platform: label,
    // A hook as long as the platform's limit is an essay.
    hard: Math.min(hard, MAX_REQUESTED_GRAPHEMES),
    visible,
    spokenSeconds,
    worn: CLICHED_OPENINGS[own].slice(0, 20),
    styles: styles.map((id) => {
      const { does, avoidWhen, examples } = STYLES[id];
      return { id, does, avoidWhen, examples: examples[own] };
    }),
  });
  filled.set(key, instructions);
  return instructions;
}

// Nothing of a request but these is in the instructions.
const filled = new LRUCache<string, string>({ max: 100 });

const MAX_REQUESTED_GRAPHEMES = 300;

function materialOf({ input, language, voice, recent }: PromptInput, count: number) {
  const { topic, tone, audience, payoff } = input;
  return {
    topic,
    count,
    ...(language && { language }),
    ...(tone && { tone }),
    ...(audience && { audience }),
    ...(payoff && { payoff }),
    ...(voice && { brand_voice: voiceOf(voice) }),
    ...(recent.length > 0 && { earlier_hooks: recent.slice(0, RECENT_SHOWN) }),
  };
}

function voiceOf({ name, samples, do: like, avoid, forbidden_words }: BrandVoice) {
  return { name, samples, do: like, avoid, forbidden_words };
}

/** Styles are described but not enforced: one wrong label is no reason to repeat the whole request. */
function answerOf(styles: readonly StyleId[]): z.ZodType<WrittenHooks> {
  // Sorted: the prompt lists them in the account's own ranking, which would defeat the cache.
  const ids = styles.toSorted();
  const key = ids.join();
  const known = answers.get(key);
  if (known) return known;
  const style = z.string().meta({ enum: ids, description: 'ID of the style' });
  const hook = RawHook.extend({
    text: z.string().meta({ description: 'The hook, ready to use' }),
    style,
    why: z.string().meta({ description: 'Why it works, one short sentence in the language of the hook' }),
    pattern: z.string().meta({ description: 'The pattern it follows, in a few words' }),
  });
  const answer = z.object({ hooks: z.array(hook) });
  answers.set(key, answer);
  return answer;
}

// Building a schema and its JSON Schema takes longer than the rest of a request.
const answers = new LRUCache<string, z.ZodType<WrittenHooks>>({ max: 100 });
