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
afterEach(() => peer.close());

const local = () => createOpenaiWriter({ provider: 'openai', baseUrl: `${peer.url}/v1`, model: 'qwen3:8b' });

const QUESTION: Question = {
  model: 'gpt-5.6-luna',
  instructions: 'You write mails.',
  messages: [{ role: 'user', text: 'A sale.' }],
  maxTokens: 400,
  form: { is: 'schema', name: 'mail', schema: { type: 'object' } },
  signal: new AbortController().signal,
};

test('a server of the operator’s own needs no key, and gets no header of one', async () => {
  peer.script({ text: GOOD });
  await write(local());
  expect(peer.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(peer.requests[0]?.body).toMatchObject({ model: 'qwen3:8b', max_tokens: 400 });
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
  expect(Object.keys(plain)).toEqual(['model', 'messages', 'max_completion_tokens']);
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
  expect(peer.requests[1]?.body).toMatchObject({ max_completion_tokens: 400 });
  expect(peer.requests[1]?.body).not.toHaveProperty('max_tokens');
});

test('a server that answers JSON of another kind is a wrong address', async () => {
  peer.script({ fails: 200, message: 'hello' });
  await expect(write(local())).rejects.toMatchObject({ key: 'provider_unavailable.address' });
});
