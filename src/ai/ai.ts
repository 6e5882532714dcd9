import { z } from 'zod';
import type { Ask } from './model.ts';
import type { ProviderChoice, ProviderId } from './providers.ts';
import type { Payer } from './spending.ts';

/** One turn of the conversation with a model. */
export type Message = { readonly role: 'user' | 'assistant'; readonly text: string };

/** A prompt with the shape of its answer. */
export type Brief<Answer> = {
  /** The system prompt, from a file in `prompts/`. */
  readonly instructions: string;
  readonly messages: readonly [Message, ...Message[]];
  /**
   * The JSON object the model must return. `name` has letters, digits and `_`. A schema without records and unknowns is
   * enforced by the provider; lengths and patterns are checked afterwards.
   */
  readonly answer: {
    readonly name: string;
    readonly schema: z.ZodType<Answer>;
    /** Reads what is finished of an answer cut at the token limit. Undefined, as without it: nothing, so ask again. */
    readonly finished?: (text: string) => Answer | undefined;
  };
  /** Limit of the answer in tokens; the provider's allowance for reasoning comes on top. */
  readonly maxTokens: number;
};

/** Tokens of all requests, and US dollars when the operator set prices; null is unknown, never a guess. */
export const Usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_usd: z.number().nullable(),
});
export type Usage = Readonly<z.output<typeof Usage>>;

export type Written<Answer> = {
  readonly answer: Answer;
  readonly model: string;
  readonly usage: Usage;
  /** Only what was finished when the token limit was reached. */
  readonly cut: boolean;
};

export type WriteOptions = {
  readonly signal: AbortSignal;
  /** A model of the provider instead of the configured one. */
  readonly model?: string | undefined;
  /**
   * Receives each piece of the answer's JSON text as it arrives. Only the first answer is streamed: when it breaks off or is
   * invalid and a second one is requested, no more pieces come, and the returned answer counts.
   */
  readonly onText?: ((piece: string) => void) | undefined;
  /** Receives the output tokens of each request with the server's key, also when its answer is not used. */
  readonly onTokens?: ((output: number) => void) | undefined;
  /** Decorates every request; only `Writers` sets it. */
  readonly meter?: ((ask: Ask) => Ask) | undefined;
};

/**
 * Port to AI models. In: a prompt and a schema. Out: JSON of that shape and its token usage.
 *
 * providers lists the providers, writers opens those the operator configured, model-writer repeats an invalid answer once,
 * exchange sends requests (retry, circuit breaker, plainer forms), model is the port of the adapters in src/providers/.
 *
 * Invariant: the answer matches the schema, or a Fault is thrown; no fault contains a key or a provider's own text.
 */
export type Writer = {
  readonly provider: ProviderId;
  /**
   * Requests a second answer when the first is invalid, or cut at the token limit with nothing finished; then with twice the
   * limit. Retries a failed request once.
   * @throws Fault provider_auth, provider_billing, provider_rate_limited (with retryAfterSeconds), provider_unavailable,
   * provider_timeout, provider_bad_output, model_not_found, topic_refused when the model refuses, too_large when the brief
   * exceeds the model's context; the signal's reason when the caller gave up.
   */
  write<Answer>(brief: Brief<Answer>, options: WriteOptions): Promise<Written<Answer>>;
};

/** Who wants a writer, and which. */
type WriterRequest = {
  readonly payer: Payer;
  /** Default: the first configured one. */
  readonly provider?: ProviderChoice | undefined;
  /** A model of the provider instead of the configured one; `write` checks it again. */
  readonly model?: string | undefined;
  /** The caller's own key. */
  readonly apiKey?: string | undefined;
};

/** The configured writers. */
export type Writers = {
  /**
   * A writer with the server's key asks only the models the operator allows, for accounts with a verified address, within
   * the ceilings of spending; its `write` throws ai_budget_exhausted. With a caller's own key the writer exists for this
   * call only, has none of these limits, goes to the address that GET /api/v1/config names and shares no circuit breaker;
   * a rejected key is provider_key_rejected.
   * @throws Fault not_configured with the missing settings, model_not_allowed, forbidden.unverified_ai,
   * provider_key_rejected for a key that no header can carry
   */
  choose(request: WriterRequest): Promise<Writer>;
  /** Whether `choose` finds a writer without a caller's own key. */
  isReady(provider?: ProviderChoice): boolean;
};
