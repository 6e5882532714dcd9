import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Span as ApiSpan, Context } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import { Fault } from '../../errors.ts';
import type { Log } from '../log.ts';
import { errorType } from './error-type.ts';
import { createOtlpExporter } from './otlp-exporter.ts';
import type { SAMPLERS } from './samplers.ts';
import { readTraceparent, writeTraceparent } from './traceparent.ts';
import { NO_TRACING, type OpenSpan, type SpanOptions, type Tracing } from './tracing.ts';

/** Where traces go, and which: the settings OTEL_*. */
type TracingSettings = {
  /** Without a path of its own: /v1/traces is added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Part of the traces that are kept, for samplers by ratio: 0 to 1. */
  readonly ratio: number;
  /** After which ended spans are sent. */
  readonly delayMs: number;
};

type TracingDeps = {
  readonly settings: TracingSettings | undefined;
  readonly version: string;
  /** Not the log itself: its lines may name the traces, so it is made after them. */
  readonly log: () => Pick<Log, 'warn'>;
};

const TRACES_LOST = 'traces do not reach OTEL_EXPORTER_OTLP_ENDPOINT; this is not said again until they do';

/** With the versions that fit each other. */
const PACKAGES = {
  '@opentelemetry/api': '1',
  '@opentelemetry/sdk-trace': '3',
  '@opentelemetry/resources': '3',
  '@opentelemetry/otlp-transformer': '0.301',
};
const CLOSE_MS = 2_000;
const MAX_VALUE_CHARS = 256;

/** Loads OpenTelemetry where traces are on, and nothing where they are off. @throws Fault unavailable.tracing_packages */
export async function openTracing({ settings, ...deps }: TracingDeps): Promise<Tracing> {
  if (!settings) return NO_TRACING;
  const otel = await loadPackages();
  return createTracing(otel, { settings, ...deps });
}

type Otel = Awaited<ReturnType<typeof importPackages>>;

/** They are an optional part: 18 MB that only servers with traces need. */
async function loadPackages(): Promise<Otel> {
  try {
    for (const name of Object.keys(PACKAGES)) import.meta.resolve(name);
  } catch (cause) {
    const names = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
    throw new Fault('unavailable.tracing_packages', { command: `npm install ${names.join(' ')}` }, { cause });
  }
  return importPackages();
}

async function importPackages() {
  const [api, sdk, resources, { JsonTraceSerializer: serializer }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/otlp-transformer'),
  ]);
  return { api, sdk, resources, serializer };
}

function createTracing(
  otel: Otel,
  { settings, version, log }: TracingDeps & { settings: TracingSettings },
): Tracing {
  const { api, sdk, resources, serializer } = otel;
  const { endpoint, headers, serviceName, delayMs } = settings;
  const exporter = createOtlpExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    ...{ headers, serializer },
    onLost: (error) => log().warn({ err: error }, TRACES_LOST),
  });
  const own = { 'service.name': serviceName, 'service.version': version };
  const provider = new sdk.TracerProvider({
    // Of OTEL_RESOURCE_ATTRIBUTES, such as the environment of a deployment.
    resource: resources
      .detectResources({ detectors: [resources.envDetector] })
      .merge(resources.resourceFromAttributes(own)),
    sampler: samplerOf(otel, settings),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_CHARS },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: delayMs })],
  });
  const tracer = provider.getTracer('stallhand', version);
  const active = new AsyncLocalStorage<ApiSpan>();
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    consumer: api.SpanKind.CONSUMER,
    internal: api.SpanKind.INTERNAL,
  };

  function start(name: string, { kind = 'internal', attributes = {}, parent }: SpanOptions = {}): OpenSpan {
    // A worker may have been started in a trace that has ended long ago.
    const around = kind === 'consumer' ? undefined : active.getStore();
    const remote = readTraceparent(parent);
    const links = remote && around ? [{ context: around.spanContext() }] : [];
    const context = remote
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...remote, isRemote: true })
      : contextOf(around);
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes, links }, context);
    return {
      set: (more) => void span.setAttributes(more),
      rename: (other) => void span.updateName(other),
      fail(type) {
        span.setAttribute('error.type', type);
        span.setStatus({ code: api.SpanStatusCode.ERROR });
      },
      run: (work) => active.run(span, work),
      end: () => span.end(),
    };
  }

  function contextOf(span: ApiSpan | undefined): Context {
    return span ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT;
  }

  return {
    isOn: true,
    start,
    async span(name, options, work) {
      const span = start(name, options);
      try {
        return await span.run(() => work(span));
      } catch (error) {
        span.fail(errorType(error));
        throw error;
      } finally {
        span.end();
      }
    },
    isRecording: () => active.getStore()?.isRecording() === true,
    traceparent() {
      const span = active.getStore();
      return span && writeTraceparent(span.spanContext());
    },
    logFields() {
      const span = active.getStore();
      if (!span?.isRecording()) return {};
      const { traceId, spanId } = span.spanContext();
      return { trace_id: traceId, span_id: spanId };
    },
    async close() {
      const flushed = provider.shutdown().catch(() => {});
      await Promise.race([flushed, delay(CLOSE_MS, undefined, { ref: false })]);
      exporter.abort();
    },
  };
}

function samplerOf({ sdk }: Otel, { sampler, ratio }: TracingSettings): Sampler {
  const [root, isByParent] = sampler.startsWith('parentbased_')
    ? [sampler.slice('parentbased_'.length), true]
    : [sampler, false];
  const chosen = rootSampler();
  return isByParent ? new sdk.ParentBasedSampler({ root: chosen }) : chosen;

  function rootSampler(): Sampler {
    switch (root) {
      case 'always_off':
        return new sdk.AlwaysOffSampler();
      case 'traceidratio':
        return new sdk.TraceIdRatioBasedSampler(ratio);
      default:
        return new sdk.AlwaysOnSampler();
    }
  }
}
