/** Where a span is, as W3C Trace Context has it. */
export type SpanPlace = { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };

/** Later versions begin like this one, and may go on. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Undefined for anything else than a `traceparent`, such as a header that was sent twice. */
export function readTraceparent(text: unknown): SpanPlace | undefined {
  if (typeof text !== 'string' || text.length > 512) return undefined;
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED };
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanPlace): string {
  return `00-${traceId}-${spanId}-0${traceFlags & SAMPLED}`;
}
