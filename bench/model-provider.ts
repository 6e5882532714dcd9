import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';

/**
 * A provider of OpenAI chat completions that answers at once with five new random hooks; as a stream of about 200 chunks when
 * the request asks for one. It records how long it spent on each request, keyed by the number in the topic. GET /times
 * returns these times in milliseconds and clears them.
 */
const WORDS =
  `amber anchor apron basket beacon bottle branch breeze bridge bucket button cabin candle canvas carpet castle
cellar cherry cinder circle closet clover collar copper corner cotton cradle crayon curtain cushion desert dinner drawer
engine falcon fender fiddle filter flavor flower forest fossil galaxy garden garlic ginger glacier goblet grater hammer
harbor helmet hinge honey island jacket jasmine jungle kettle kitchen ladder lantern leather lemon linen lobster magnet
maple marble market meadow mirror mitten muffin museum mustard napkin needle nickel oyster paddle panel paper parcel
pebble pencil pepper pickle pillow pistol planet pocket poppy potato powder prairie puzzle quarry rabbit radish ribbon
river rocket saddle salmon sandal saucer shovel silver sleeve socket spider spinach sponge squash stable statue summer
sunset tablet tailor teapot temple thimble ticket timber tomato towel tractor tunnel turnip valley velvet violet walnut
whisker willow window winter wrench zipper`.split(/\s+/);

const times = new Map<string, number>();

const server = createServer(async (request, response) => {
  const arrived = performance.now();
  if (request.url === '/times') {
    response.end(JSON.stringify(Object.fromEntries(times)));
    times.clear();
    return;
  }
  if (request.method !== 'POST') return void response.writeHead(404).end(await text(request));
  const body = (await json(request)) as { stream?: boolean };
  const number = /request (\d+)/.exec(JSON.stringify(body))?.[1] ?? '';
  response.once('finish', () => times.set(number, performance.now() - arrived));
  response.setHeader('content-type', body.stream ? 'text/event-stream' : 'application/json');
  response.end(body.stream ? stream(number) : JSON.stringify(completion(number)));
});

server.listen(0, '127.0.0.1', () => {
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});

function answer(): string {
  const hooks = Array.from({ length: 5 }, () => ({
    text: `${Array.from({ length: 6 }, word).join(' ')}: the part nobody mentions`,
    style: 'curiosity',
    why: 'It leaves a question open.',
    pattern: 'open-question',
  }));
  return JSON.stringify({ hooks });
}

const USAGE = { prompt_tokens: 700, completion_tokens: 350, total_tokens: 1050 };

function completion(number: string) {
  const message = { role: 'assistant', content: answer(), refusal: null };
  const choices = [{ index: 0, message, finish_reason: 'stop', logprobs: null }];
  return { ...head(number, 'chat.completion'), choices, usage: USAGE };
}

/** A token is about four characters, and a chunk one token. */
function stream(number: string): string {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head(number, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
  });
  const pieces = answer().match(/.{1,4}/gs) ?? [];
  const last = { ...head(number, 'chat.completion.chunk'), choices: [], usage: USAGE };
  const events = [...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), last];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
}

function head(number: string, object: string) {
  return { id: `chatcmpl-${number}`, object, created: 1_790_000_000, model: 'bench' };
}

function word(): string {
  return WORDS[Math.floor(Math.random() * WORDS.length)] ?? '';
}
