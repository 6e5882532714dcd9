/**
 * The traces of one process: what each piece of work started, and how long it took.
 * In: work with a name, and attributes from short lists or ids that the log has too. Out: spans, to an OpenTelemetry collector
 * by `open-tracing.ts`, or nowhere by `NO_TRACING`.
 * Invariant: no span has a secret, a text of an account, an address of a person or a value of a statement.
 */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type Span = {
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Marks the span as failed. `type` is a code or a name, never a sentence. */
  fail(type: string): void;
};

/** A span that its opener ends. */
export type OpenSpan = Span & {
  /** What starts in `work`, and in what it awaits, is part of this span. */
  run<T>(work: () => T): T;
  end(): void;
};

export type SpanOptions = {
  /** Default: internal. A consumer is never part of the active span, only of its `parent`. */
  readonly kind?: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
  /** A W3C `traceparent` that came from elsewhere; what is none is ignored. It goes before the active span, which is linked. */
  readonly parent?: unknown;
};

export type Tracing = {
  readonly isOn: boolean;
  start(name: string, options?: SpanOptions): OpenSpan;
  /** Runs work in a span, which fails with what the work throws. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** True in a span that is recorded: only then details are worth a span. */
  isRecording(): boolean;
  /** Of the active span, to continue its trace elsewhere. */
  traceparent(): string | undefined;
  /** What each line of the log has of the active span; undefined where there are no traces. */
  readonly logFields: (() => Readonly<Record<string, string>>) | undefined;
  /** Sends the remaining spans, for at most two seconds. */
  close(): Promise<void>;
};

const NO_SPAN: OpenSpan = {
  set: () => {},
  rename: () => {},
  fail: () => {},
  run: (work) => work(),
  end: () => {},
};

/** Without OTEL_EXPORTER_OTLP_ENDPOINT. Loads nothing. */
export const NO_TRACING: Tracing = {
  isOn: false,
  start: () => NO_SPAN,
  span: (_name, _options, work) => work(NO_SPAN),
  isRecording: () => false,
  traceparent: () => undefined,
  logFields: undefined,
  close: async () => {},
};
