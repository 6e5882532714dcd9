import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OtlpReceiver, startOtlpReceiver } from '../peers/otlp-receiver.ts';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

/** Before anything else of each thread: the modules of OpenTelemetry that it loads. */
const COUNT_MODULES = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.LOADED_FILE, url + '\\n');
      return next(url, context);
    },
  });`;
const RENDER = { body: { template: 'welcome', data: { name: 'Ana' } } };

let folder: Awaited<ReturnType<typeof newFolder>>;
const running: ServerProcess[] = [];

beforeAll(async () => {
  folder = await newFolder();
});
afterAll(async () => {
  await Promise.all(running.map((server) => server.kill()));
  await folder.remove();
});

async function start(name: string, settings: Record<string, string>): Promise<ServerProcess> {
  const server = await startProcess(join(folder.path, name), settings);
  running.push(server);
  return server;
}

/** The modules of OpenTelemetry among those that a server has loaded once it has rendered, and how many there were in all. */
async function loadedBy(name: string, settings: Record<string, string>) {
  const file = join(folder.path, `${name}.txt`);
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(COUNT_MODULES)}`;
  const server = await start(name, { ...settings, NODE_OPTIONS, LOADED_FILE: file, MCP_ENABLED: 'true' });
  expect((await server.rest('POST', '/v1/render', RENDER)).status).toBe(200);
  await server.rest('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
  await server.rest('POST', '/api/v1/generate', { body: { topic: 'bread', provider: 'builtin' } });
  expect(await server.terminate()).toBe(0);
  const urls = (await readFile(file, 'utf8')).split('\n');
  return { all: urls.length, otel: urls.filter((url) => url.includes('@opentelemetry')) };
}

describe('a server without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  test('loads no module of OpenTelemetry', async () => {
    const { all, otel } = await loadedBy('off', {});
    expect(all).toBeGreaterThan(500);
    expect(otel).toEqual([]);
  });

  test('which the test would see', async () => {
    const receiver = await startOtlpReceiver();
    const { otel } = await loadedBy('on', { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    await receiver.close();
    expect(otel.length).toBeGreaterThan(10);
  });
});

describe('a server with a collector', () => {
  let receiver: OtlpReceiver;
  beforeAll(async () => {
    receiver = await startOtlpReceiver();
  });
  afterAll(() => receiver.close());

  test('names the trace in its log, and sends what is left when it stops', async () => {
    const server = await start('stops', {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '60000',
      LOG_LEVEL: 'info',
    });
    await server.rest('POST', '/v1/render', { ...RENDER, headers: { 'x-request-id': 'the-last-one' } });
    expect(receiver.spans()).toEqual([]);
    expect(await server.terminate()).toBe(0);
    const last = receiver.spans().find(({ name }) => name === 'render_template');
    const lines = server
      .errors()
      .split('\n')
      .filter((line) => line.includes('the-last-one'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { tool: 'render_template', trace_id: last?.traceId, span_id: last?.spanId, request_id: 'the-last-one' },
    ]);
  });

  test("a video's frames are part of the trace of the request that asked for it", async () => {
    const server = await start('video', {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    const { status } = await server.rest('POST', '/videos', {
      body: { title: 'Hello', duration: 1, quality: 'draft' },
      headers: { 'x-request-id': 'a-video' },
    });
    expect(status).toBe(200);
    const asked = await receiver.found(({ attributes }) => attributes['stallhand.request_id'] === 'a-video');
    const ofVideo = (name: string) =>
      receiver.found((span) => span.name === name && span.traceId === asked.traceId);
    const frames = await ofVideo('browser frames');
    expect(frames.attributes).toMatchObject({ 'stallhand.frame.from': 0 });
    await ofVideo('browser open');
    const step = await receiver.found(({ spanId }) => spanId === frames.parentId);
    expect(step).toMatchObject({ name: 'step', traceId: asked.traceId });
    await server.kill();
  });
});

describe('a collector', () => {
  test('that is down is said once, and neither delays calls nor the stop', async () => {
    const { url, server: closed } = await listening(() => {});
    closed.close();
    const server = await start('down', {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: '10',
      LOG_LEVEL: 'warn',
    });
    for (let call = 0; call < 10; call++) {
      expect((await server.rest('POST', '/v1/render', RENDER)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const start_ = performance.now();
    expect(await server.terminate()).toBe(0);
    expect(performance.now() - start_).toBeLessThan(8_000);
    expect(server.errors().match(/traces do not reach/g)).toHaveLength(1);
  });

  test('that never answers neither delays calls nor the stop', async () => {
    let asked = 0;
    const { url, server: silent } = await listening(() => {
      asked++;
    });
    const server = await start('silent', { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10' });
    const ms: number[] = [];
    for (let call = 0; call < 10; call++) {
      const start_ = performance.now();
      expect((await server.rest('POST', '/v1/render', RENDER)).status).toBe(200);
      ms.push(performance.now() - start_);
    }
    await expect.poll(() => asked).toBeGreaterThan(0);
    // The first ones compile the template.
    expect(Math.min(...ms)).toBeLessThan(1_000);
    const start_ = performance.now();
    expect(await server.terminate()).toBe(0);
    expect(performance.now() - start_).toBeLessThan(8_000);
    silent.closeAllConnections();
    silent.close();
  });
});

async function listening(onRequest: () => void): Promise<{ url: string; server: Server }> {
  const server = createServer(onRequest);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server };
}
