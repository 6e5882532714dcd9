/** What the peer answers one request with. Streamed when the request asks for it. */
export type ModelAnswer =
  /** `usage` null: the server counts no tokens. */
  | { readonly text: string; readonly usage?: ModelUsage | null; readonly model?: string }
  /** From a server that does not stream: one JSON body, whatever the request asks for. */
  | { readonly whole: string; readonly end?: ModelTurn['end'] }
  | { readonly refusal: string }
  /** The text stops in the middle because the token limit is reached. */
  | { readonly cut: string; readonly usage?: ModelUsage }
  /** The connection is reset after this text. */
  | { readonly breaks: string }
  /** The connection is closed politely after this text, without the end of an answer. */
  | { readonly stops: string }
  /** So many pieces of reasoning, one each `everyMs`, then this text. */
  | { readonly reasons: number; readonly everyMs: number; readonly text: string }
  /** A piece each `everyMs`. */
  | { readonly drips: string; readonly everyMs: number }
  | { readonly silence: true }
  /** This text, then nothing more until the client leaves. */
  | { readonly pauses: string }
  /** 200 with a page, as a proxy or a wrong address answers. */
  | { readonly html: string }
  /** An error answer; `param` is the field of the request it names. */
  | (ModelError & { readonly fails: number; readonly headers?: Readonly<Record<string, string>> })
  /** A stream that begins well and then carries an error event. */
  | (ModelError & { readonly failsInStream: string });

export type ModelUsage = { readonly input: number; readonly output: number };

export type ModelError = {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly message?: string;
};

/** A finished answer, before it is put into the form of one provider. */
export type ModelTurn = {
  readonly text: string;
  readonly end: 'done' | 'length' | 'refusal';
  readonly model: string;
  readonly usage: ModelUsage | null;
};

/** How one provider puts a turn or an error on the wire. */
export type ModelWire = {
  whole(turn: ModelTurn): unknown;
  /** The server-sent events of a stream: before the text, for each piece of it, and after. */
  opening(turn: ModelTurn): string[];
  piece(text: string, turn: ModelTurn): string;
  /** A piece of the model's reasoning. */
  thought(turn: ModelTurn): string;
  closing(turn: ModelTurn, request: Readonly<Record<string, unknown>>): string[];
  error(error: ModelError, status: number): unknown;
  errorEvent(error: ModelError): string;
};
