import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';

/**
 * A provider of OpenAI chat completions that answers at once with five new random hooks. It records how long
 * it spent on each request, keyed by the number in the topic. GET /times returns these times in milliseconds
 * and clears them.
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
  const body = await json(request);
  const number = /request (\d+)/.exec(JSON.stringify(body))?.[1] ?? '';
  response.once('finish', () => times.set(number, performance.now() - arrived));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(completion(number)));
});

server.listen(0, '127.0.0.1', () => {
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});

function completion(number: string) {
  const hooks = Array.from({ length: 5 }, () => ({
    text: `${Array.from({ length: 6 }, word).join(' ')}: the part nobody mentions`,
    style: 'curiosity',
    why: 'It leaves a question open.',
    pattern: 'open-question',
  }));
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'bench',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: JSON.stringify({ hooks }), refusal: null },
        finish_reason: 'stop',
        logprobs: null,
      },
    ],
    usage: { prompt_tokens: 700, completion_tokens: 350, total_tokens: 1050 },
  };
}

function word(): string {
  return WORDS[Math.floor(Math.random() * WORDS.length)] ?? '';
}
