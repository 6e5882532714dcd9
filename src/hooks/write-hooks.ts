import type { Prompts } from '../ai/prompts.ts';
import type { Usage } from '../ai/writer.ts';
import { Fault } from '../errors.ts';
import { localizeHookNote } from '../language.ts';
import { writeBuiltin } from './builtin/write-builtin.ts';
import type { HookCollector } from './collect-hooks.ts';
import { languageOf } from './languages.ts';
import type { Order } from './order.ts';
import { briefOf, topUpOf } from './prompt.ts';
import { createHookReader } from './read-hooks.ts';
import type { Source } from './source.ts';

/** Who wrote, and what it took; null where no model was asked, or none said. */
export type Spent = { readonly model: string | null; readonly usage: Usage | null };

type Work = {
  readonly order: Order;
  /** Hooks the account has had, the latest first. */
  readonly earlier: readonly string[];
  readonly collector: HookCollector;
  /** How many hooks to write. */
  readonly count: number;
  readonly signal: AbortSignal;
  /** Hands hooks to the collector while the model still writes. */
  readonly streams: boolean;
};

/**
 * Has the hooks of an order written, into its collector. What a model leaves missing is asked for once more; when that
 * fails, those there are count.
 * @throws Fault provider_bad_output.hooks when there is none, and the writer's
 */
export async function writeHooks(prompts: Prompts, work: Work): Promise<Spent> {
  const { source } = work.order;
  if (source.kind === 'builtin') return writePatterns(work);
  const { model, usage } = await askModel(prompts, source, work);
  if (work.collector.hooks().length === 0)
    throw new Fault('provider_bad_output.hooks', { model: model ?? source.name });
  return { model, usage };
}

function writePatterns({ order, earlier, collector, count }: Work): Spent {
  const { request, platform, guess, reads, styles, voice } = order;
  const language = languageOf(guess);
  if (!language && order.language)
    throw new Fault('validation_failed.builtin_language', { language: order.language });
  const forbidden = voice?.forbidden_words;
  const wish = { topic: request.topic, count, language: language ?? reads, platform };
  for (const hook of writeBuiltin({ ...wish, styles, forbidden, avoid: earlier })) collector.offer(hook);
  if (collector.hooks().length === 0) throw new Fault('conflict.patterns_used_up');
  return { model: null, usage: null };
}

async function askModel(
  prompts: Prompts,
  { writer }: Extract<Source, { kind: 'model' }>,
  { order, earlier, collector, count, signal, streams }: Work,
): Promise<Spent> {
  const { request, platform, language, guess, styles, voice } = order;
  const parts = { request, platform, language, guess, styles, voice, earlier };
  const brief = briefOf(prompts, parts, count);
  const ask = async (one: typeof brief) => {
    const onText = streams ? createHookReader(collector.offer) : undefined;
    const written = await writer.write(one, { signal, model: request.model, onText });
    for (const hook of written.answer.hooks) collector.offer(hook);
    return written;
  };
  // What has been delivered, or can be, is not given up because the rest failed.
  const unlessNone = (error: unknown) => {
    if (collector.hooks().length > 0 && error instanceof Fault && !signal.aborted) return undefined;
    throw error;
  };
  const first = await ask(brief).catch(unlessNone);
  const missing = collector.missing();
  if (!first) return { model: request.model ?? null, usage: null };
  if (missing === 0) return first;
  const second = await ask(topUpOf(brief, first.answer, missingOf(collector, missing))).catch(unlessNone);
  return { model: first.model, usage: sum(first.usage, second?.usage) };
}

const MOST_TOLD = 20;

function missingOf(collector: HookCollector, missing: number): Parameters<typeof topUpOf>[2] {
  const accepted = collector.hooks().map(({ text }) => text);
  const refused = collector.refused.slice(0, MOST_TOLD).map(({ text, problems }) => ({
    text,
    problems: problems.map(({ code, note }) => (note ? localizeHookNote(note, 'en') : code)),
  }));
  return { missing, accepted, refused };
}

function sum(one: Usage, other: Usage | undefined): Usage {
  if (!other) return one;
  const known = one.cost_usd !== null && other.cost_usd !== null;
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cost_usd: known ? Number((Number(one.cost_usd) + Number(other.cost_usd)).toFixed(8)) : null,
  };
}
