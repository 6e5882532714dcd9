import type { Message } from './ai.ts';
import type { JsonSchema } from './answer-schema.ts';

/** How a model is held to the shape of its answer, the most reliable way first. */
export type Form = 'schema' | 'object' | 'text';

/** One request to a model. */
export type Question = {
  readonly model: string;
  readonly instructions: string;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly form:
    | { readonly is: 'schema'; readonly name: string; readonly schema: JsonSchema }
    | { readonly is: Exclude<Form, 'schema'> };
  /** Ends the request: the caller gave up, or its time is over. */
  readonly signal: AbortSignal;
  /** Asks for a stream; called with each piece of text. */
  readonly onText?: ((piece: string) => void) | undefined;
};

export type Tokens = { readonly input: number; readonly output: number };

export type Answered = {
  readonly state: 'answered';
  readonly text: string;
  /** Why the text ends; `cut` is the limit of tokens. */
  readonly end: 'done' | 'cut' | 'refused';
  /** As the provider names it. */
  readonly model: string;
  /** Absent where the server counts none. */
  readonly tokens: Tokens | undefined;
};

/** What went wrong, in our words. `about` is for the operator's log and holds no secret and no text of the provider. */
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
};

export type Reply = Answered | { readonly state: 'failed'; readonly failure: ModelFailure };

/** What an adapter is: one question over the wire, one reply. Rejects for nothing the provider does. */
export type Ask = (question: Question) => Promise<Reply>;
