import { z } from 'zod';
import type { ProviderChoice, ProviderId } from './providers.ts';

/** One turn of the conversation with a model. */
export type Message = { readonly role: 'user' | 'assistant'; readonly text: string };

/** What a model is asked to write. */
export type Brief<Answer> = {
  /** What the model is and must keep to; the text of a file in `prompts/`. */
  readonly instructions: string;
  readonly messages: readonly [Message, ...Message[]];
  /**
   * The JSON object the answer must be. `name` is a word of letters, digits and `_`. Without records and unknowns the model
   * can be held to it strictly; lengths and patterns are checked afterwards.
   */
  readonly answer: { readonly name: string; readonly schema: z.ZodType<Answer> };
  /** Most tokens the answer may take. */
  readonly maxTokens: number;
};

/** Tokens of all calls made, and US dollars where the operator gave prices; null is "not known", never a guess. */
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
};

export type WriteOptions = {
  readonly signal: AbortSignal;
  /** A model of the provider instead of the configured one. */
  readonly model?: string | undefined;
  /**
   * Called with each piece of the answer's JSON text as it arrives. Pieces are of the first answer only: when that breaks
   * off or is no use and another is asked for, no more pieces come, and the written answer is what counts.
   */
  readonly onText?: ((piece: string) => void) | undefined;
};

/** The port: an outside model that writes JSON of a given shape. */
export type Writer = {
  readonly provider: ProviderId;
  /**
   * Two requests at most for an answer that is no use the first time, and one retry of a request the provider failed.
   * @throws Fault provider_auth, provider_billing, provider_rate_limited (with retryAfterSeconds), provider_unavailable,
   * provider_timeout, provider_bad_output, model_not_found, topic_refused when the model refuses, too_large when the brief
   * is longer than the model can read; the signal's reason when the caller gave up.
   */
  write<Answer>(brief: Brief<Answer>, options: WriteOptions): Promise<Written<Answer>>;
};

/** The writers the operator has set up. */
export type Writers = {
  /**
   * The named one, else the first that is set up. `provider_a` is openai and `provider_b` anthropic. With a caller's own
   * key the writer is made for this call: its key goes where the operator's would, and neither the key nor what the
   * provider did is remembered. Its `write` throws provider_key_rejected where the operator's key would be the matter.
   * @throws Fault not_configured naming the settings that are missing, provider_key_rejected for what no header can carry
   */
  choose(provider?: ProviderChoice, own?: { readonly apiKey: string }): Writer;
  /** Whether `choose` finds one without a caller's own key. */
  isReady(provider?: ProviderChoice): boolean;
};
