import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { BREAD, hooksAnswer } from '../hooks/hooks-answer.ts';
import { HTTP_CLIENTS } from '../mcp/support/clients.ts';
import { enveloped, rawClient } from '../mcp/support/raw-client.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../peers/otlp-receiver.ts';
import { PRODUCT, silentLog } from '../support/app.ts';
import { type ModelApp, openModelApp } from '../support/model-app.ts';
import { newKey, startTestServer, type TestServer, useRest } from '../support/server.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;
const KIND = { internal: 1, server: 2, client: 3, consumer: 5 };

let receiver: OtlpReceiver;
let model: ModelApp;
let server: TestServer;
let accountId: string;
let key: string;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=fern%20and%20clay',
    OTEL_SERVICE_NAME: 'shop-server',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    AI_OWN_KEYS_TO_BASE_URL: 'true',
    AI_MODELS: 'gpt-test',
  };
  model = await openModelApp(env);
  server = await startTestServer(model.app, env);
  ({ accountId, key } = await newKey(model.app));
  await model.app.jobs.start({ run: createRunJob({ app: model.app, registry: PRODUCT, log: silentLog }) });
});
afterAll(async () => {
  await server.close();
  await model.close();
  await receiver.close();
});

/** The parts of the trace around a span, from the first on: names, and the service that asked where the trace came from one. */
function roadTo(span: ReceivedSpan): string[] {
  const all = receiver.spans();
  const above = all.find(({ spanId }) => spanId === span.parentId);
  if (above) return [...roadTo(above), span.name];
  return span.parentId === undefined ? [span.name] : [`(${span.parentId})`, span.name];
}

/** A request with an id, so that its spans are known among those of other tests. */
async function traced(id: string, method: string, path: string, body?: unknown, more = {}) {
  const headers = { 'x-request-id': id, ...more };
  const answer = await useRest(server.url, key)(method, path, { body, headers });
  const http = await receiver.found(
    ({ attributes }) => attributes['stallhand.request_id'] === id && 'http.route' in attributes,
  );
  const spans = () => receiver.spans().filter(({ traceId }) => traceId === http.traceId);
  return { answer, http, spans };
}

describe('a render over REST', () => {
  test('is a trace: request, call of the tool, statements', async () => {
    const { answer, http, spans } = await traced('render-1', 'POST', '/v1/render', {
      template: 'welcome',
      data: { name: 'Ana' },
    });
    expect(answer.status).toBe(200);
    expect(http).toMatchObject({
      name: 'POST /v1/render',
      kind: KIND.server,
      parentId: undefined,
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/render',
        'http.response.status_code': 200,
        'stallhand.request_id': 'render-1',
      },
    });
    const tool = spans().find(({ name }) => name === 'render_template');
    expect(tool).toMatchObject({
      kind: KIND.internal,
      parentId: http.spanId,
      attributes: {
        'stallhand.tool': 'render_template',
        'stallhand.transport': 'rest',
        'stallhand.account': accountId,
        'stallhand.via': 'api_key',
        'stallhand.request_id': 'render-1',
      },
    });
    const statements = spans().filter(({ attributes }) => 'db.system.name' in attributes);
    const roads = statements.map(roadTo);
    expect(roads).toContainEqual(['POST /v1/render', 'select api_keys']);
    expect(roads).toContainEqual(['POST /v1/render', 'render_template', 'select templates']);
    expect(statements.find(({ name }) => name === 'select templates')).toMatchObject({
      kind: KIND.client,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'select',
        'db.collection.name': 'templates',
        'db.query.summary': 'select templates',
      },
    });
  });

  test('continues the trace of its caller', async () => {
    const body = { template: 'welcome', data: { name: 'Ana' } };
    const { http, spans } = await traced('render-2', 'POST', '/v1/render', body, {
      traceparent: TRACEPARENT,
    });
    expect(http).toMatchObject({ traceId: TRACE, parentId: SPAN });
    expect(spans().map(({ name }) => name)).toContain('render_template');
  });

  test('is not recorded where the caller keeps no trace', async () => {
    const trace = 'a'.repeat(32);
    await useRest(server.url, key)('POST', '/v1/render', {
      body: { template: 'welcome', data: { name: 'Ana' } },
      headers: { traceparent: `00-${trace}-${SPAN}-00` },
    });
    await traced('after-unsampled', 'GET', '/v1/templates');
    expect(receiver.spans().filter(({ traceId }) => traceId === trace)).toEqual([]);
  });

  test('that fails has the code of its error, never its sentence', async () => {
    const { http, spans } = await traced('render-3', 'POST', '/v1/render', { template: 'no-such-name' });
    const tool = spans().find(({ name }) => name === 'render_template');
    expect(tool).toMatchObject({ failed: true, attributes: { 'error.type': 'not_found' } });
    expect(http).toMatchObject({ failed: false, attributes: { 'http.response.status_code': 404 } });
    expect(JSON.stringify([http, ...spans()])).not.toContain('no-such-name');
  });

  test('as lines has the statements in the call', async () => {
    await useRest(server.url, key)('POST', '/v1/render/batch?template=welcome', {
      body: '{"data":{"name":"Ana"}}\n',
      headers: { 'content-type': 'application/x-ndjson', 'x-request-id': 'lines-1' },
    });
    const tool = await receiver.found(({ name }) => name === 'render_batch');
    expect(roadTo(tool)).toEqual(['POST /v1/render/batch', 'render_batch']);
  });
});

test('the collector gets the headers and the name of the service', async () => {
  await traced('resource-1', 'GET', '/v1/templates');
  expect(receiver.requests[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-tenant': 'fern and clay',
  });
  expect(receiver.resource()).toMatchObject({ 'service.name': 'shop-server', 'service.version': '1.2.3' });
});

test('probes are not traced', async () => {
  await Promise.all(['/health', '/ready'].map((path) => fetch(`${server.url}${path}`)));
  await traced('after-probes', 'GET', '/v1/templates');
  const routes = receiver.spans().map(({ attributes }) => attributes['http.route']);
  expect(routes).not.toContain('/health');
  expect(routes).not.toContain('/ready');
});

test("a job goes on in the request's trace, with the page of its PDF", async () => {
  const body = { template: 'welcome', data: { name: 'Ana' }, format: 'pdf' };
  const { answer, http } = await traced('job-1', 'POST', '/v1/export', body, { prefer: 'respond-async' });
  const id = answer.headers.get('location')?.split('/').at(-1) ?? '';
  const job = await receiver.found(({ attributes }) => attributes['stallhand.job'] === id);
  expect(job).toMatchObject({
    traceId: http.traceId,
    name: 'job',
    kind: KIND.consumer,
    attributes: { 'stallhand.attempt': 1, 'stallhand.account': accountId, 'stallhand.outcome': 'done' },
  });
  const print = await receiver.found(
    ({ name, traceId }) => name === 'browser print' && traceId === job.traceId,
  );
  const created = await receiver.found(
    ({ name, traceId }) => name === 'insert jobs' && traceId === job.traceId,
  );
  expect(roadTo(created)).toEqual(['POST /v1/export', 'export_template:job', 'insert jobs']);
  expect(roadTo(print).slice(-3)).toEqual(['job', 'export_template', 'browser print']);
  expect(roadTo(job)[0]).toBe('POST /v1/export');
});

test('a call of an AI model has its tokens and no word of what is said', async () => {
  model.server.script({ ...hooksAnswer(...BREAD.slice(0, 3)), usage: { input: 321, output: 45 } });
  const before = model.server.requests.length;
  const { answer, spans } = await traced('ai-1', 'POST', '/api/v1/generate', {
    topic: 'sourdough-canary',
    count: 3,
    language: 'en',
    provider: 'provider_a',
    model: 'gpt-test',
  });
  expect(answer.status).toBe(200);
  const chat = spans().find(({ name }) => name === 'chat gpt-test');
  expect(chat).toMatchObject({
    kind: KIND.client,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-test',
      'gen_ai.usage.input_tokens': 321,
      'gen_ai.usage.output_tokens': 45,
    },
  });
  expect(chat && roadTo(chat)).toEqual(['POST /api/v1/generate', 'generate_hooks', 'chat gpt-test']);
  expect(JSON.stringify(spans())).not.toMatch(/sourdough-canary|key-of-the-operator/);
  // The operator has chosen the server at OPENAI_BASE_URL.
  expect(model.server.requests[before]?.headers['traceparent']).toBe(
    `00-${chat?.traceId}-${chat?.spanId}-01`,
  );
});

test('a model that only the caller names, with a key of their own, is named in no span', async () => {
  model.server.script(
    hooksAnswer(
      ['Which mug do you reach for first?', 'question'],
      ['This glaze took four winters.', 'storytelling'],
      ['Look at the foot of a mug before you buy it.', 'curiosity'],
    ),
  );
  const { answer, spans } = await traced('ai-2', 'POST', '/api/v1/generate', {
    ...{ topic: 'stoneware mugs', count: 3, language: 'en', provider: 'provider_a' },
    ...{ model: 'ana-canary', api_key: 'sk-of-ana' },
  });
  expect(answer.status).toBe(200);
  expect(spans().map(({ name }) => name)).toContain('chat');
  expect(JSON.stringify(spans())).not.toMatch(/ana-canary|sk-of-ana/);
});

test('a stream of events ends when its reader leaves, which is no failure', async () => {
  const reader = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'x-request-id': 'stream-1' };
  const stream = await fetch(`${server.url}/sse`, { headers, signal: reader.signal });
  await stream.body?.getReader().read();
  reader.abort();
  const span = await receiver.found(({ attributes }) => attributes['stallhand.request_id'] === 'stream-1');
  expect([span.name, span.failed]).toEqual(['GET /sse', false]);
});

test.each(HTTP_CLIENTS)(
  'over MCP, %s: the call is a span of the method and the tool',
  async (_name, connect) => {
    const client = await connect(server.url, key);
    const seen = new Set(receiver.spans().map(({ spanId }) => spanId));
    await client.callTool('render_template', { template: 'welcome', data: { name: 'Ana' } });
    await client.close();
    const call = await receiver.found(
      ({ name, spanId }) => name === 'tools/call render_template' && !seen.has(spanId),
    );
    expect(call).toMatchObject({
      kind: KIND.server,
      attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'render_template' },
    });
    await receiver.found(({ parentId, name }) => name === 'render_template' && parentId === call.spanId);
  },
);

test('over MCP, a call continues the trace of its _meta', async () => {
  const trace = 'b'.repeat(32);
  await rawClient(server.url, key)('tools/call', {
    name: 'render_template',
    arguments: { template: 'welcome', data: { name: 'Ana' } },
    _meta: {
      ...enveloped({})._meta,
      traceparent: `00-${trace}-${SPAN}-01`,
    },
  });
  const root = await receiver.found(({ traceId, parentId }) => traceId === trace && parentId === SPAN);
  expect(root.name).toBe('tools/call render_template');
});

test('no span has a secret, a content, an address of a person or a value of a statement', async () => {
  const canaries = ['canary-of-html', 'canary-of-data', 'canary-of-name', 'canary@shop.example'];
  const rest = useRest(server.url, key);
  await rest('POST', '/v1/templates', {
    body: { name: 'canary-of-name', html: '<p>canary-of-html {{word}}</p>', subject: 'canary-of-html' },
  });
  await rest('POST', '/v1/templates/canary-of-name/render?word=canary-of-data');
  await rest('POST', '/v1/render', {
    body: { template: 'canary-of-name', data: { word: 'canary-of-data' } },
  });
  await rest('POST', '/auth/password/sign-in', {
    body: { email: 'canary@shop.example', password: 'canary-of-password' },
  });
  await rest('GET', '/v1/files/file_canary?token=canary-of-token');
  await rest('GET', '/v1/templates/canary-of-name');
  await traced('after-canaries', 'GET', '/v1/templates');
  const sent = receiver.requests.map(({ body }) => body).join('\n');
  for (const canary of [...canaries, 'canary-of-password', 'canary-of-token', key])
    expect(sent).not.toContain(canary);
});
