import type { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

type ExporterDeps = {
  /** Where spans go, such as http://localhost:4318/v1/traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serializer: typeof JsonTraceSerializer;
  /** Called when spans are lost, and not again until some have arrived. */
  readonly onLost: (error: unknown) => void;
};

/** Of the SDK, whose own enum is a package of its own. */
const SUCCESS = 0;
const FAILED = 1;
const REQUEST_MS = 5_000;

export type OtlpExporter = SpanExporter & {
  /** Gives up what is on its way. */
  abort(): void;
};

/**
 * Sends spans by OTLP over HTTP, as JSON, each batch once: a collector that is away costs a failed request every few seconds.
 * The exporter of OpenTelemetry tries again for ten seconds, which cannot be ended when the server stops.
 */
export function createOtlpExporter({ url, headers, serializer, onLost }: ExporterDeps): OtlpExporter {
  const stop = new AbortController();
  const pending = new Set<Promise<void>>();
  let isLosing = false;

  async function send(body: Uint8Array | undefined): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(body ?? []),
      redirect: 'error',
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the collector answered ${response.status}`);
  }

  return {
    export(spans, done) {
      const sent = send(serializer.serializeRequest(spans))
        .then(
          () => {
            isLosing = false;
            done({ code: SUCCESS });
          },
          (error: unknown) => {
            if (!isLosing && !stop.signal.aborted) onLost(error);
            isLosing = true;
            done({ code: FAILED });
          },
        )
        .finally(() => pending.delete(sent));
      pending.add(sent);
    },
    async shutdown() {
      await Promise.all(pending);
    },
    abort: () => stop.abort(),
  };
}
