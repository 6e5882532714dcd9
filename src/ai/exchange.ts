import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import { createDeadline } from '../platform/deadline.ts';
import { retry } from '../platform/retry.ts';
import type { Message } from './ai.ts';
import type { AnswerSchema } from './answer-schema.ts';
import type { Answered, Ask, Form, ModelFailure, Question } from './model.ts';
import { providerFault } from './provider-fault.ts';
import { entryOf, type ProviderId } from './providers.ts';

/** What all questions of one writing share. */
export type Conversation = Pick<Question, 'model' | 'instructions' | 'maxTokens'> & {
  readonly name: string;
  readonly schema: AnswerSchema;
  /** The caller's signal, whose reason the caller gets back. */
  readonly caller: AbortSignal;
  /** The caller's signal, or the end of the total time at `endsAt`. */
  readonly signal: AbortSignal;
  readonly endsAt: number;
  /** Counts what each request costs. */
  readonly meter: (ask: Ask) => Ask;
  /** The listener of the next answer's text, if there is one. */
  listener(): Question['onText'] | undefined;
};

export type Exchange = {
  /** @throws Fault for what the provider rejects or fails at; the caller's reason when the caller gave up. */
  answer(conversation: Conversation, messages: readonly Message[]): Promise<Answered & Stepped>;
  /** Uses a plainer form than this step for the model from now on. False when there is none. */
  stepDown(conversation: Pick<Conversation, 'model' | 'schema'>, from: number): boolean;
};

/** Which form the question had, counted from the strictest. */
type Stepped = { readonly step: number };

type ExchangeDeps = {
  readonly provider: ProviderId;
  readonly ask: Ask;
  readonly forms: readonly Form[];
  /** Longest pause of a request without data. */
  readonly idleTimeoutMs: number;
  readonly now: () => number;
};

/** How long a plainer form is used before the stricter one is tried again. */
const STEP_TTL_MS = 60 * 60 * 1000;

/** Sends questions to one provider: one retry when it may help, a plainer form when the model does not know a stricter one. */
export function createExchange({ provider, ask, forms, idleTimeoutMs, now }: ExchangeDeps): Exchange {
  const circuit = createCircuit(now);
  const steps = new LRUCache<string, number>({ max: 200, ttl: STEP_TTL_MS });

  const stepOf = ({ model, schema }: Pick<Conversation, 'model' | 'schema'>) =>
    Math.max(steps.get(model) ?? 0, schema.strict ? 0 : 1);

  function stepDown(conversation: Pick<Conversation, 'model' | 'schema'>, from: number): boolean {
    if (from + 1 >= forms.length) return false;
    // A concurrent writing may have stepped down already, for the same reason.
    steps.set(conversation.model, Math.max(from + 1, stepOf(conversation)));
    return true;
  }

  /** @throws RequestFailed */
  async function attempt(
    conversation: Conversation,
    messages: readonly Message[],
    step: number,
  ): Promise<Answered> {
    const { model, caller } = conversation;
    caller.throwIfAborted();
    const openMs = circuit.openMs(model);
    if (openMs > 0) throw circuitOpen(provider, openMs);
    // Refreshed by each piece: a long answer may take minutes.
    const idle = createDeadline(conversation.signal, idleTimeoutMs);
    const { signal } = idle;
    const listener = conversation.listener();
    const onText = (piece: string) => {
      idle.refresh();
      if (piece !== '') listener?.(piece);
    };
    const question = questionOf(conversation, forms[step] ?? 'text');
    const reply = await conversation
      .meter(ask)({ ...question, messages, signal, onText })
      .finally(idle.end);
    if (reply.state === 'answered') {
      circuit.succeeded(model);
      return reply;
    }
    caller.throwIfAborted();
    const failure: ModelFailure = signal.aborted
      ? { is: 'timeout', about: 'no answer in time' }
      : reply.failure;
    if (failure.is === 'down' || failure.is === 'timeout') circuit.failed(model);
    throw new RequestFailed(failure);
  }

  async function attemptForms(
    conversation: Conversation,
    messages: readonly Message[],
  ): Promise<Answered & Stepped> {
    for (;;) {
      const step = stepOf(conversation);
      try {
        return { ...(await attempt(conversation, messages, step)), step };
      } catch (error) {
        const isForm = error instanceof RequestFailed && error.failure.is === 'form';
        if (!isForm || !stepDown(conversation, step)) throw error;
      }
    }
  }

  return {
    stepDown,
    answer(conversation, messages) {
      const when = (error: unknown) => {
        const waitMs = error instanceof RequestFailed ? retryDelay(error.failure) : undefined;
        return waitMs !== undefined && now() + waitMs < conversation.endsAt ? waitMs : false;
      };
      const options = { delays: ONE_RETRY, when, signal: conversation.caller };
      return retry(() => attemptForms(conversation, messages), options).catch((error: unknown) => {
        if (!(error instanceof RequestFailed)) throw error;
        throw providerFault(error.failure, { provider, model: conversation.model });
      });
    },
  };
}

/** A failure on its way to the retry. */
class RequestFailed extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.about);
    this.failure = failure;
  }
}

/** The delay comes from the failure. */
const ONE_RETRY = [0];

/** The provider's Retry-After, else about half a second with jitter. Undefined when a retry does not help. */
function retryDelay({ is, retryAfterMs }: ModelFailure): number | undefined {
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

const FAILURE_THRESHOLD = 5;
const FAILURE_WINDOW_MS = 30_000;
const OPEN_MS = 15_000;

type CircuitState = { readonly failures: readonly number[]; readonly openUntil: number };

/**
 * Circuit breaker per model: five failures within 30 s pause requests for 15 s, so that callers do not wait for a provider
 * that is down. `now` is in milliseconds.
 */
function createCircuit(now: () => number) {
  // Callers name models, so the map is bounded.
  const states = new LRUCache<string, CircuitState>({ max: 200 });
  return {
    /** Milliseconds until the next request; 0 when the circuit is closed. */
    openMs: (model: string) => Math.max(0, (states.get(model)?.openUntil ?? 0) - now()),
    succeeded(model: string): void {
      states.delete(model);
    },
    failed(model: string): void {
      const recent = (states.get(model)?.failures ?? []).filter((at) => at > now() - FAILURE_WINDOW_MS);
      const failures = [...recent, now()].slice(-FAILURE_THRESHOLD);
      states.set(model, {
        failures,
        openUntil: failures.length < FAILURE_THRESHOLD ? 0 : now() + OPEN_MS,
      });
    },
  };
}

function circuitOpen(provider: ProviderId, openMs: number): Fault {
  const seconds = Math.ceil(openMs / 1000);
  const params = { provider: entryOf(provider).label, seconds };
  return new Fault('provider_unavailable.resting', params, { retryAfterSeconds: seconds });
}
