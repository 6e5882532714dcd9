import { expect, test } from 'vitest';
import { readTraceparent, writeTraceparent } from '../../../src/platform/tracing/traceparent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([
  ['sampled', `00-${TRACE}-${SPAN}-01`, 1],
  ['not sampled', `00-${TRACE}-${SPAN}-00`, 0],
  ['flags that we do not know', `00-${TRACE}-${SPAN}-03`, 1],
  ['a later version, which may go on', `01-${TRACE}-${SPAN}-01-more`, 1],
])('a traceparent is read: %s', (_what, text, traceFlags) => {
  expect(readTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags });
});

test.each([
  ['nothing', undefined],
  ['two headers', [`00-${TRACE}-${SPAN}-01`]],
  ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['the version that is none', `ff-${TRACE}-${SPAN}-01`],
  ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
  ['an endless text', `01-${TRACE}-${SPAN}-01-${'x'.repeat(1000)}`],
])('what is none is ignored: %s', (_what, text) => {
  expect(readTraceparent(text)).toBeUndefined();
});

test('a traceparent is written as it is read', () => {
  const text = `00-${TRACE}-${SPAN}-01`;
  expect(writeTraceparent({ traceId: TRACE, spanId: SPAN, traceFlags: 1 })).toBe(text);
});
