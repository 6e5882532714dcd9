import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'vitest';
import { z } from 'zod';

/** A span as it came, with its attributes by name. */
export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the first of a trace. */
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
};

export type OtlpReceiver = {
  /** OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  spans(): readonly ReceivedSpan[];
  resource(): ReceivedSpan['attributes'];
  /** Waits for a span that `is` accepts. */
  found(is: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  close(): Promise<void>;
};

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
]);
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])));
const Span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
  attributes: Attributes,
});
/** `ExportTraceServiceRequest` of OTLP, as JSON. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});
const ERROR = 2;

/** A collector on this machine, which takes what OTLP over HTTP says and refuses what is none. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const isExport = request.method === 'POST' && request.url === '/v1/traces';
    if (!isExport) return void response.writeHead(404).end();
    requests.push({ headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  const exports = () => requests.flatMap(({ body }) => Export.parse(JSON.parse(body)).resourceSpans);
  const spans = () =>
    exports()
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)
      .map(({ parentSpanId, status, ...span }) => ({
        ...span,
        parentId: parentSpanId || undefined,
        failed: status.code === ERROR,
      }));
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    spans,
    resource: () => exports()[0]?.resource.attributes ?? {},
    async found(is) {
      await expect.poll(() => spans().some(is), { timeout: 20_000 }).toBe(true);
      // The poll has seen it.
      return spans().find(is) as ReceivedSpan;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
