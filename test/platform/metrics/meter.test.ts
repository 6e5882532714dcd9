import { expect, test } from 'vitest';
import { createMeter } from '../../../src/platform/metrics/meter.ts';

test('counters, durations and values are written as Prometheus reads them', () => {
  const meter = createMeter();
  const count = meter.counter<'code'>('calls_total', 'Calls.');
  const time = meter.histogram<'operation'>('call_seconds', 'Durations.', [0.1, 1]);
  meter.gauge('pages', 'Pages.', () => [{ labels: { state: 'busy' }, value: 2 }]);
  meter.gauge('up', 'Up.', () => [{ value: 1 }]);
  meter.gauge('unknown', 'Not known now.', () => []);
  count({ code: 'ok' });
  count({ code: 'ok' });
  count({ code: 'a "b" \\ \n' });
  for (const seconds of [0.05, 0.1, 0.5, 7]) time({ operation: 'render' }, seconds);
  expect(meter.text()).toBe(`# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{code="ok"} 2
calls_total{code="a \\"b\\" \\\\ \\n"} 1
# HELP call_seconds Durations.
# TYPE call_seconds histogram
call_seconds_bucket{operation="render",le="0.1"} 2
call_seconds_bucket{operation="render",le="1"} 3
call_seconds_bucket{operation="render",le="+Inf"} 4
call_seconds_sum{operation="render"} 7.65
call_seconds_count{operation="render"} 4
# HELP pages Pages.
# TYPE pages gauge
pages{state="busy"} 2
# HELP up Up.
# TYPE up gauge
up 1
# HELP unknown Not known now.
# TYPE unknown gauge
`);
});
