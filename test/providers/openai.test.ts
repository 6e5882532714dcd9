import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Question } from '../../src/ai/model.ts';
import { createOpenaiWriter, openaiRequest } from '../../src/providers/openai.ts';
import { contractFaults } from '../peers/contracts.ts';
import { type ModelServer, startModelServer } from '../peers/model-server.ts';
import { GOOD, write } from './providers.ts';

let peer: ModelServer;

beforeEach(async () => {
  peer = await startModelServer();
});
afterEach(async () => {
  server?.close();
  await peer.close();
});

let server: Server | undefined;

/** A server that answers every request with this body. */
async function serve(type: string, body: string): Promise<string> {
  server = createServer(
    (_, response) => void response.writeHead(200, { 'content-type': type, connection: 'close' }).end(body),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const local = () => createOpenaiWriter({ provider: 'openai', baseUrl: `${peer.url}/v1`, model: 'qwen3:8b' });

const QUESTION: Question = {
  model: 'gpt-5.6-luna',
  instructions: 'You write mails.',
  messages: [{ role: 'user', text: 'A sale.' }],
  maxTokens: 400,
  form: { is: 'schema', name: 'mail', schema: { type: 'object' } },
  signal: new AbortController().signal,
  onText: () => {},
};

test('a server of the operator’s own needs no key, and gets no header of one', async () => {
  peer.script({ text: GOOD });
  await write(local());
  expect(peer.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(peer.requests[0]?.body).toMatchObject({ model: 'qwen3:8b', max_tokens: 4400 });
});

test('OpenAI itself is asked in its own words, which its document allows', async () => {
  const body = openaiRequest(QUESTION, { official: true, refused: [] });
  expect(body).toEqual({
    model: 'gpt-5.6-luna',
    messages: [
      { role: 'system', content: 'You write mails.' },
      { role: 'user', content: 'A sale.' },
    ],
    max_completion_tokens: 400,
    reasoning_effort: 'low',
    stream: true,
    stream_options: { include_usage: true },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'mail', strict: true, schema: { type: 'object' } },
    },
  });
  expect(await contractFaults('openai', { ...body })).toEqual([]);
  const plain = openaiRequest(
    { ...QUESTION, form: { is: 'text' } },
    { official: true, refused: ['reasoning_effort'] },
  );
  expect(Object.keys(plain)).toEqual([
    'model',
    'messages',
    'max_completion_tokens',
    'stream',
    'stream_options',
  ]);
});

test('a server that refuses stream_options is asked without them from then on, and its cost is not guessed', async () => {
  const writer = createOpenaiWriter({
    provider: 'openai',
    baseUrl: `${peer.url}/v1`,
    model: 'm',
    prices: { m: [1, 1] },
  });
  peer.script(
    { fails: 400, message: 'Unknown field: stream_options' },
    { text: GOOD, usage: null },
    { text: GOOD },
  );
  const written = await write(writer, { onText: () => {} });
  await write(writer, { onText: () => {} });
  expect(peer.requests.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false]);
  expect(written.usage).toEqual({ input_tokens: 0, output_tokens: 0, cost_usd: null });
});

test('a server that knows only max_completion_tokens gets it', async () => {
  peer.script(
    {
      fails: 400,
      message: "'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
      param: 'max_tokens',
    },
    { text: GOOD },
  );
  await write(local());
  expect(peer.requests[1]?.body).toMatchObject({ max_completion_tokens: 4400 });
  expect(peer.requests[1]?.body).not.toHaveProperty('max_tokens');
});

test('a model that is not streamed to this key is asked for one body from then on', async () => {
  const message = 'Your organization must be verified to stream this model.';
  peer.script(
    { fails: 400, message, param: 'stream', code: 'unsupported_value' },
    { text: GOOD },
    { text: GOOD },
  );
  const writer = local();
  const written = await write(writer);
  await write(writer);
  expect(written.usage).toEqual({ input_tokens: 100, output_tokens: 20, cost_usd: null });
  expect(peer.requests.map(({ body }) => [body['stream'], 'stream_options' in body])).toEqual([
    [true, true],
    [undefined, false],
    [undefined, false],
  ]);
});

test.each([
  ['without a finish_reason', 'text/event-stream', '"finish_reason":null'],
  ['as another content type', 'text/plain', '"finish_reason":"stop"'],
])('a stream %s is understood up to its end', async (_, type, finish) => {
  const delta = JSON.stringify({ content: GOOD });
  const url = await serve(
    type,
    `data: {"choices":[{"delta":${delta},${finish}}]}\r\n\r\n: ping\n\ndata: [DONE]\n\n`,
  );
  const writer = createOpenaiWriter({ provider: 'openai', baseUrl: url, model: 'm' });
  expect((await write(writer)).answer).toEqual({ subject: 'Candles, half price' });
});

const inPieces = [GOOD.slice(0, 9), GOOD.slice(9)].map((piece, at) => {
  const call = { index: 0, ...(at === 0 && { id: 'call_1' }), function: { arguments: piece } };
  return `data: ${JSON.stringify({ choices: [{ delta: { content: null, tool_calls: [call] } }] })}\n\n`;
});
const whole = (written: unknown) =>
  JSON.stringify({
    choices: [
      {
        finish_reason: 'tool_calls',
        message: { content: null, tool_calls: [{ function: { arguments: written } }] },
      },
    ],
  });

test.each([
  ['a stream', 'text/event-stream', `${inPieces.join('')}data: [DONE]\n\n`],
  ['one body', 'application/json', whole(GOOD)],
  ['one body, as an object', 'application/json', whole(JSON.parse(GOOD))],
])('an answer in the arguments of a tool is read from %s', async (_, type, body) => {
  const writer = createOpenaiWriter({ provider: 'openai', baseUrl: await serve(type, body), model: 'm' });
  const pieces: string[] = [];
  const { answer } = await write(writer, { onText: (piece) => pieces.push(piece) });
  expect(answer).toEqual({ subject: 'Candles, half price' });
  expect(JSON.parse(pieces.join(''))).toEqual(JSON.parse(GOOD));
});

test('a server that answers JSON of another kind is a wrong address', async () => {
  peer.script({ fails: 200, message: 'hello' });
  await expect(write(local())).rejects.toMatchObject({ key: 'provider_unavailable.address' });
});
