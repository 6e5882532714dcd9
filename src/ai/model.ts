import type { Message } from './ai.ts';
import type { JsonSchema } from './answer-schema.ts';

/** How the shape of an answer is enforced, the strictest first. */
export type Form = 'schema' | 'object' | 'text';

/** One request to a model. */
export type Question = {
  readonly model: string;
  readonly instructions: string;
  readonly messages: readonly Message[];
  /** Limit of what the model may write, its reasoning included. */
  readonly maxTokens: number;
  readonly form:
    | { readonly is: 'schema'; readonly name: string; readonly schema: JsonSchema }
    | { readonly is: Exclude<Form, 'schema'> };
  /** Aborts when the caller gave up or the time is over. */
  readonly signal: AbortSignal;
  /**
   * Receives each piece of text as it arrives, and an empty one for other signs of life, such as reasoning. A server that
   * does not stream sends one piece.
   */
  readonly onText: (piece: string) => void;
};

export type Tokens = { readonly input: number; readonly output: number };

export type Answered = {
  readonly state: 'answered';
  readonly text: string;
  /** Why the text ends; `cut` at the token limit. */
  readonly end: 'done' | 'cut' | 'refused';
  /** The name the provider reports. */
  readonly model: string;
  /** Undefined when the server reports none. */
  readonly tokens: Tokens | undefined;
};

/** A failed request. `about` is for the operator's log and contains no secret and no text of the provider. */
export type ModelFailure = {
  readonly is:
    | 'auth'
    | 'billing'
    | 'unknown_model'
    | 'refused'
    | 'too_long'
    | 'form'
    | 'rate_limited'
    | 'down'
    | 'timeout'
    | 'address'
    | 'endless'
    | 'request';
  readonly about: string;
  readonly retryAfterMs?: number | undefined;
  /** The provider has certainly produced nothing, so it charges nothing. */
  readonly unbilled?: boolean | undefined;
};

export type Reply = Answered | { readonly state: 'failed'; readonly failure: ModelFailure };

/** An adapter: one question, one reply, always streamed where the server can. Never rejects because of the provider. */
export type Ask = (question: Question) => Promise<Reply>;
