import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Writer } from '../../src/ai/ai.ts';
import { findJson } from '../../src/ai/read-answer.ts';
import { faultOf, GOOD, PROVIDER_CASES, write } from './providers.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };
const MIDDLE = 'x'.repeat(64 * 1024);

type Serve = (response: ServerResponse) => void;

/** Answers that no provider gives, and one that is broken or hostile might. */
const ANSWERS: readonly (readonly [what: string, serve: Serve, key: string])[] = [
  ['an answer without an end', (response) => pour(response, JSON_TYPE), 'provider_bad_output.endless'],
  [
    'a stream of one line without an end',
    (response) => pour(response, STREAM_TYPE),
    'provider_bad_output.endless',
  ],
  [
    'a packed answer that unpacks to 64 MB',
    (response) =>
      response
        .writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x'))),
    'provider_bad_output.endless',
  ],
  [
    'the way to another place',
    (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    'provider_unavailable.address',
  ],
  [
    'an error with the name of a member of every object',
    (response) =>
      response
        .writeHead(400, JSON_TYPE)
        .end('{"error":{"code":"constructor","type":"toString","message":"m"}}'),
    'provider_unavailable.request',
  ],
];

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe.each(PROVIDER_CASES)('from $name', ({ protocol, open }) => {
  test.each(ANSWERS)('%s', async (_, serve, key) => {
    const onText = () => {};
    expect((await faultOf(write(open(await start(serve)), { onText }))).key).toBe(key);
  });

  test('an answer nested deeper than recursion goes is no answer', async () => {
    const deep = `{"subject":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const url = await start((response) => response.writeHead(200, JSON_TYPE).end(whole(protocol, deep)));
    expect((await faultOf(write(open(url)))).key).toBe('provider_bad_output.answer');
  });
});

test('tokens of another form are not counted, and a model is no member of every object', async () => {
  const piece = { model: 5, choices: [{ delta: { content: GOOD }, finish_reason: 'stop' }], usage: {} };
  const url = await start((response) =>
    response.writeHead(200, STREAM_TYPE).end(`data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`),
  );
  const written = await write(opened('openai', url), { model: 'constructor', onText: () => {} });
  expect([written.model, written.usage]).toEqual([
    'constructor',
    { input_tokens: 0, output_tokens: 0, cost_usd: null },
  ]);
});

test('a stream of Anthropic that just stops is a failure, not an answer', async () => {
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} };
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '{"subj' } },
  ];
  const url = await start((response) =>
    response
      .writeHead(200, STREAM_TYPE)
      .end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')),
  );
  const fault = await faultOf(write(opened('anthropic', url), { onText: () => {} }));
  expect(fault.key).toBe('provider_unavailable.down');
});

test('a stream of Anthropic that counts its tokens at the start alone has counted none of the answer', async () => {
  const usage = { input_tokens: 100, output_tokens: 1 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage };
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: GOOD } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ];
  const url = await start((response) =>
    response
      .writeHead(200, STREAM_TYPE)
      .end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')),
  );
  const written = await write(opened('anthropic', url), { onText: () => {} });
  expect(written.usage).toEqual({ input_tokens: 0, output_tokens: 0, cost_usd: null });
});

// Before texts were read in one pass, each of these took minutes.
test.each([
  ['reasoning that never ends', '<think>'.repeat(120_000)],
  ['quotes that never end', `{"${'\\"'.repeat(400_000)}`],
  ['braces', '{'.repeat(800_000)],
])('%s is read to its end', (_, text) => {
  expect(findJson(text)).toBeUndefined();
});

function opened(provider: 'openai' | 'anthropic', url: string): Writer {
  const found = PROVIDER_CASES.find((one) => one.provider === provider);
  if (!found) throw new Error(`no adapter for ${provider}`);
  return found.open(url, { prices: {} });
}

async function start(serve: Serve): Promise<string> {
  server = createServer((request, response) => request.resume().on('end', () => serve(response)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function pour(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, headers);
  const more = () => {
    while (response.write(MIDDLE));
    response.once('drain', more);
  };
  more();
}

function whole(protocol: string, text: string): string {
  return protocol === 'openai'
    ? JSON.stringify({ model: 'm', choices: [{ finish_reason: 'stop', message: { content: text } }] })
    : JSON.stringify({ model: 'm', content: [{ type: 'text', text }], stop_reason: 'end_turn' });
}
