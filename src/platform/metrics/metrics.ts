import { createMeter } from './meter.ts';

/** Seconds. Few, since each operation has all of them. */
const CALL_BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30];
const ATTEMPT_BOUNDS = [0.1, 1, 10, 60, 600, 3600];

export type Metrics = ReturnType<typeof createMetrics>;

/** Events that the product counts when they happen. Values that are read on request are in src/wiring/metrics.ts. */
export function createMetrics() {
  const meter = createMeter();
  const calls = meter.counter<'operation' | 'transport' | 'outcome'>(
    'stallhand_calls_total',
    'Calls of operations. transport: rest (the command line too), mcp, job. outcome: ok, asked, canceled, or the error code.',
  );
  const callSeconds = meter.histogram<'operation'>(
    'stallhand_call_duration_seconds',
    'How long calls took.',
    CALL_BOUNDS,
  );
  const renders = meter.counter<'kind' | 'outcome'>(
    'stallhand_renders_total',
    'Renders of emails, PDFs and screenshots. kind: email, pdf, screenshot. outcome: ok, failed.',
  );
  const renderSeconds = meter.histogram<'kind'>(
    'stallhand_render_duration_seconds',
    'How long renders took, with the wait for a page of the browser.',
    CALL_BOUNDS,
  );
  const attempts = meter.counter<'kind' | 'outcome'>(
    'stallhand_attempts_total',
    'Attempts at work in the background. kind: job, step (of a video), run (of a sync). outcome: done, canceled, error, stopping, superseded.',
  );
  const attemptSeconds = meter.histogram<'kind'>(
    'stallhand_attempt_duration_seconds',
    'How long attempts took.',
    ATTEMPT_BOUNDS,
  );

  return {
    meter,

    call(labels: { operation: string; transport: string; outcome: string }, seconds: number): void {
      calls(labels);
      callSeconds({ operation: labels.operation }, seconds);
    },

    attempt(kind: string, outcome: string, seconds: number): void {
      attempts({ kind, outcome });
      attemptSeconds({ kind }, seconds);
    },

    async render<T>(kind: 'email' | 'pdf' | 'screenshot', run: () => Promise<T>): Promise<T> {
      const start = performance.now();
      let outcome = 'failed';
      try {
        const result = await run();
        outcome = 'ok';
        return result;
      } finally {
        renders({ kind, outcome });
        renderSeconds({ kind }, (performance.now() - start) / 1000);
      }
    },

    videoEnded: meter.counter<'status'>(
      'stallhand_videos_total',
      'Videos that ended on this node. status: completed, failed, canceled.',
    ),

    httpError: meter.counter<'code'>(
      'stallhand_http_errors_total',
      'Error responses over HTTP, of calls and of requests that never became one, by error code.',
    ),
  };
}
