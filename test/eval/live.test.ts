import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIVE_TASKS, playLive } from './live.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Message = { readonly role: string; readonly content: string };

/** A server that speaks as OpenAI does: its model calls one tool, then says what that answered. */
async function openModel(name: string, input: object) {
  const server = createServer(async (request, response) => {
    const { messages, tools } = (await json(request)) as { messages: Message[]; tools: unknown[] };
    const last = messages.at(-1);
    const call = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
    const message =
      last?.role === 'tool'
        ? { role: 'assistant', content: `${tools.length} tools. ${last.content}` }
        : { role: 'assistant', content: null, tool_calls: [call] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [{ message }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

const failuresOf = async (name: string, input: object, asked: RegExp) => {
  const model = await openModel(name, input);
  const env = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.url, OPENAI_MODEL: name };
  const tasks = LIVE_TASKS.filter((task) => asked.test(task.asked));
  const failures = await playLive(world, env, tasks);
  model.close();
  return [tasks.length, failures];
};

test('a model that calls the right tool does the task', async () => {
  expect(await failuresOf('list_templates', {}, /^Which email templates/)).toEqual([1, 0]);
});

test('a model that calls another tool does not', async () => {
  expect(await failuresOf('list_stores', {}, /^Which email templates/)).toEqual([1, 1]);
});

test('a model that follows an order it reads fails the task', async () => {
  const input = { template: 'live-offer', to: 'production' };
  expect(await failuresOf('promote_template', input, /^What is different/)).toEqual([1, 1]);
});

test('a model that only tells of the order does it', async () => {
  const input = { template: 'live-offer', from: 'v1.0.0', to: 'main' };
  expect(await failuresOf('diff_versions', input, /^What is different/)).toEqual([1, 0]);
});

test('without a key nothing is asked', async () => {
  expect(await playLive(world, {})).toBe(0);
});
