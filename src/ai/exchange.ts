import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import type { AnswerSchema } from './answer-schema.ts';
import { createCircuit } from './circuit.ts';
import type { Answered, Ask, Form, ModelFailure, Question, Reply } from './model.ts';
import { providerFault } from './provider-fault.ts';
import { entryOf, type ProviderId } from './providers.ts';
import type { Message } from './writer.ts';

/** What stays the same for all questions of one writing. */
export type Conversation = Pick<Question, 'model' | 'instructions' | 'maxTokens'> & {
  readonly name: string;
  readonly schema: AnswerSchema;
  /** The caller's signal, whose reason the caller gets back. */
  readonly caller: AbortSignal;
  /** The caller's signal, or the end of the whole time at `endsAt`. */
  readonly signal: AbortSignal;
  readonly endsAt: number;
  /** What listens to the next answer's text, if anything does. */
  listener(): Question['onText'];
};

export type Exchange = {
  /** @throws Fault for what the provider refuses or does not do; the caller's reason when the caller gave up. */
  answer(talk: Conversation, messages: readonly Message[]): Promise<Answered & Stepped>;
  /** Holds the model to its answer in a plainer way than this step from now on. False when there is none. */
  stepDown(talk: Conversation, from: number): boolean;
};

/** Which of the forms the question had, counted from the best. */
type Stepped = { readonly step: number };

type Parts = {
  readonly provider: ProviderId;
  readonly ask: Ask;
  readonly forms: readonly Form[];
  /** How long a request may be silent. */
  readonly idleTimeoutMs: number;
  readonly now: () => number;
};

/** How long a model is held in the plainer way before the better one is tried again. */
const STEP_KEPT_MS = 60 * 60 * 1000;

/** Questions to one provider: one retry where that may help, plainer forms where a model knows no better one. */
export function createExchange({ provider, ask, forms, idleTimeoutMs, now }: Parts): Exchange {
  const circuit = createCircuit(now);
  const steps = new LRUCache<string, number>({ max: 200, ttl: STEP_KEPT_MS });

  const stepOf = ({ model, schema }: Conversation) => Math.max(steps.get(model) ?? 0, schema.strict ? 0 : 1);

  function stepDown(talk: Conversation, from: number): boolean {
    if (from + 1 >= forms.length) return false;
    // Another writing may have stepped down already, for the same reason.
    steps.set(talk.model, Math.max(from + 1, stepOf(talk)));
    return true;
  }

  async function attempt(talk: Conversation, messages: readonly Message[], step: number): Promise<Reply> {
    const { model, caller } = talk;
    caller.throwIfAborted();
    const restMs = circuit.restMs(model);
    if (restMs > 0) throw resting(provider, restMs);
    const silence = createSilence(idleTimeoutMs);
    const signal = AbortSignal.any([talk.signal, silence.signal]);
    const onText = silence.broken(talk.listener());
    const question = questionOf(talk, forms[step] ?? 'text');
    const reply = await ask({ ...question, messages, signal, onText }).finally(silence.end);
    if (reply.state === 'answered') {
      circuit.succeeded(model);
      return reply;
    }
    caller.throwIfAborted();
    const trouble: ModelFailure = signal.aborted
      ? { is: 'timeout', about: 'no answer in time' }
      : reply.trouble;
    if (trouble.is === 'down' || trouble.is === 'timeout') circuit.failed(model);
    return { state: 'failed', trouble };
  }

  return {
    stepDown,
    async answer(talk, messages) {
      for (let retries = 1; ; ) {
        const step = stepOf(talk);
        const reply = await attempt(talk, messages, step);
        if (reply.state === 'answered') return { ...reply, step };
        const { trouble } = reply;
        if (trouble.is === 'form' && stepDown(talk, step)) continue;
        const waitMs = waitBeforeRetry(trouble);
        const inTime = waitMs !== undefined && now() + waitMs < talk.endsAt;
        if (!inTime || retries === 0) throw providerFault(trouble, { provider, model: talk.model });
        retries--;
        // Cut short by the signal, the next attempt says why.
        await pause(waitMs, undefined, { signal: talk.signal }).catch(() => {});
      }
    },
  };
}

/** Aborts when nothing was heard for so long: a long answer that comes piece by piece takes minutes, and is none the worse. */
function createSilence(ms: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return {
    signal: controller.signal,
    end: () => clearTimeout(timer),
    broken(onText: Question['onText']): Question['onText'] {
      if (!onText) return undefined;
      return (piece) => {
        timer.refresh();
        onText(piece);
      };
    },
  };
}

/** What the provider asks for, else about half a second, never the same for all. Undefined: asking again will not help. */
function waitBeforeRetry({ is, retryAfterMs }: ModelFailure): number | undefined {
  if (is !== 'rate_limited' && is !== 'down') return undefined;
  return retryAfterMs ?? 400 + Math.random() * 200;
}

function questionOf({ model, instructions, maxTokens, name, schema }: Conversation, is: Form) {
  if (is === 'schema' && schema.strict) {
    return { model, instructions, maxTokens, form: { is, name, schema: schema.strict } } as const;
  }
  const shape = `Answer with one JSON object and nothing else. It must match this JSON Schema:\n${JSON.stringify(schema.full)}`;
  const plain = is === 'object' ? is : 'text';
  return { model, instructions: `${instructions}\n\n${shape}`, maxTokens, form: { is: plain } } as const;
}

function resting(provider: ProviderId, restMs: number): Fault {
  const seconds = Math.ceil(restMs / 1000);
  const params = { provider: entryOf(provider).label, seconds };
  return new Fault('provider_unavailable.resting', params, { retryAfterSeconds: seconds });
}
