import type { Usage } from '../../ai/ai.ts';
import type { Prompts } from '../../ai/prompts.ts';
import { Fault } from '../../errors.ts';
import { localizeHookReason } from '../../language.ts';
import { languageOf } from '../text/language.ts';
import { writeBuiltin } from './builtin/builtin.ts';
import type { HookCollector } from './collect-hooks.ts';
import type { GenerationRequest, WriterChoice } from './generation-request.ts';
import { briefOf, topUpOf } from './prompt.ts';
import { createHookReader } from './read-hooks.ts';

/** The model and its token usage; null when no model was called, or it reported none. */
export type ModelUsage = { readonly model: string | null; readonly usage: Usage | null };

type Work = {
  readonly request: GenerationRequest;
  /** The account's recent hooks, the latest first. */
  readonly recent: readonly string[];
  readonly collector: HookCollector;
  /** How many hooks to write. */
  readonly count: number;
  /** The caller's signal, or the end of the time. */
  readonly signal: AbortSignal;
  /** The caller's signal: a caller who has left gets nothing more. */
  readonly caller: AbortSignal;
  /** Hands hooks to the collector while the model still writes, not only when it breaks off. */
  readonly streams: boolean;
};

/**
 * Writes hooks into the collector, with a model or from the built-in patterns. A model that leaves some missing gets one
 * more request. When a request fails, breaks off or takes too long, the accepted hooks are the result.
 * @throws Fault provider_bad_output.hooks when no hook was accepted, and the writer's
 */
export async function writeHooks(prompts: Prompts, work: Work): Promise<ModelUsage> {
  const { writerChoice } = work.request;
  if (writerChoice.kind === 'builtin') return fillPatterns(work);
  const { model, usage } = await askModel(prompts, writerChoice, work);
  if (work.collector.hooks().length === 0)
    throw new Fault('provider_bad_output.hooks', { model: model ?? writerChoice.name });
  return { model, usage };
}

function fillPatterns({ request, recent, collector, count }: Work): ModelUsage {
  const { input, platform, guess, reads, styles, voice } = request;
  const language = languageOf(guess);
  if (!language && request.language)
    throw new Fault('validation_failed.builtin_language', { language: request.language });
  const forbidden = voice?.forbidden_words;
  const topic = { topic: input.topic, count, language: language ?? reads, platform };
  for (const hook of writeBuiltin({ ...topic, styles, forbidden, avoid: recent }))
    collector.offer(hook, hook.frame);
  if (collector.hooks().length === 0) throw new Fault('conflict.patterns_used_up');
  return { model: null, usage: null };
}

async function askModel(
  prompts: Prompts,
  { writer }: Extract<WriterChoice, { kind: 'model' }>,
  { request, recent, collector, count, signal, caller, streams }: Work,
): Promise<ModelUsage> {
  const { input } = request;
  const brief = briefOf(prompts, { ...request, recent }, count);
  const ask = async (one: typeof brief) => {
    const read = createHookReader(collector.offer);
    let unread = '';
    const keep = (piece: string) => {
      unread += piece;
    };
    try {
      const onText = streams ? read : keep;
      const written = await writer.write(one, { signal, model: input.model, onText });
      for (const hook of written.answer.hooks) collector.offer(hook);
      return written;
    } catch (error) {
      read(unread);
      // Accepted hooks are delivered even when the rest failed.
      if (collector.hooks().length > 0 && error instanceof Fault && !caller.aborted) return undefined;
      throw error;
    }
  };
  const first = await ask(brief);
  const missing = collector.missing();
  if (!first) return { model: input.model ?? null, usage: null };
  if (missing === 0) return first;
  const second = await ask(topUpOf(brief, first, missingOf(collector, missing)));
  return { model: first.model, usage: sum(first.usage, second?.usage) };
}

const MAX_REPORTED_REJECTIONS = 20;

function missingOf(collector: HookCollector, missing: number): Parameters<typeof topUpOf>[2] {
  const accepted = collector.hooks().map(({ text }) => text);
  const refused = collector.rejected.slice(0, MAX_REPORTED_REJECTIONS).map(({ text, problems }) => ({
    text,
    problems: problems.map(({ code, reason }) => (reason ? localizeHookReason(reason, 'en') : code)),
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
