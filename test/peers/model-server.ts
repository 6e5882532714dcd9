import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { anthropicWire } from './anthropic-wire.ts';
import { type Contract, contractFaults } from './contracts.ts';
import type { ModelAnswer, ModelTurn, ModelWire } from './model-answer.ts';
import { openaiWire } from './openai-wire.ts';

type Json = Record<string, unknown>;

/** One request as it came over the wire. */
export type ModelRequest = {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
  /** Resolves when the connection's answer is over: `finished`, or `left` by the client before its end. */
  readonly outcome: Promise<'finished' | 'left'>;
};

export type ModelServer = {
  /** Origin. OpenAI's base URL is this and `/v1`, Anthropic's is this. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Adds answers for the requests to come, one each, in order. */
  script(...answers: readonly ModelAnswer[]): void;
  /** Resolves with the request of this index, counted from 0, once it has come. */
  arrived(index: number): Promise<ModelRequest>;
  /** Stops. Throws when a request broke the provider's published schema, or had no answer in the script. */
  close(): Promise<void>;
};

const WIRES: Readonly<Record<string, { contract: Contract; wire: ModelWire }>> = {
  '/v1/chat/completions': { contract: 'openai', wire: openaiWire },
  '/v1/messages': { contract: 'anthropic', wire: anthropicWire },
};

/**
 * A model provider on this machine: it says what the script says, or what `answerOf` decides, and holds every request to the
 * published schema.
 */
export async function startModelServer(
  answerOf?: (request: Omit<ModelRequest, 'outcome'>) => ModelAnswer,
): Promise<ModelServer> {
  const answers: ModelAnswer[] = [];
  const requests: ModelRequest[] = [];
  const complaints: string[] = [];
  const arrivals = new EventTarget();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://peer').pathname;
    const served = WIRES[path];
    if (!served) return sendJson(response, 404, { error: { message: `no route ${path}` } });
    const body = (await readJson(request)) as Json;
    requests.push({ path, headers: request.headers, body, outcome: outcomeOf(response) });
    arrivals.dispatchEvent(new Event('request'));
    const faults = await contractFaults(served.contract, body);
    complaints.push(...faults.map((fault) => `request ${requests.length} to ${path}: ${fault}`));
    const answer = answerOf ? answerOf({ path, headers: request.headers, body }) : answers.shift();
    if (!answer) complaints.push(`request ${requests.length} to ${path}: nothing is left in the script`);
    await reply(
      response,
      served.wire,
      answer ?? { fails: 400, message: 'nothing is left in the script' },
      body,
    );
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      complaints.push(String(error));
      response.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script(...more) {
      answers.push(...more);
    },
    async arrived(index) {
      for (;;) {
        const request = requests[index];
        if (request) return request;
        await once(arrivals, 'request');
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
  };
}

function outcomeOf(response: ServerResponse): Promise<'finished' | 'left'> {
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished ? 'finished' : 'left'));
  });
}

async function reply(
  response: ServerResponse,
  wire: ModelWire,
  answer: ModelAnswer,
  request: Json,
): Promise<void> {
  if ('silence' in answer) return;
  if ('html' in answer) return void response.writeHead(200, { 'content-type': 'text/html' }).end(answer.html);
  if ('fails' in answer) {
    const { fails, headers, ...error } = answer;
    return sendJson(response, fails, wire.error(error, fails), headers);
  }
  const turn = turnOf(answer, String(request['model']));
  if (request['stream'] && !('whole' in answer)) return sendStream(response, wire, turn, answer, request);
  const text = JSON.stringify(wire.whole(turn));
  if (!('breaks' in answer || 'stops' in answer)) return sendText(response, 200, text);
  await flushed(
    response.writeHead(200, { 'content-type': 'application/json' }),
    text.slice(0, text.length / 2),
  );
  response.destroy();
}

function turnOf(answer: ModelAnswer, model: string): ModelTurn {
  const turn: ModelTurn = { text: '', end: 'done', model, usage: { input: 100, output: 20 } };
  if ('text' in answer) {
    return {
      text: answer.text,
      end: 'done',
      model: ('model' in answer && answer.model) || model,
      usage: 'usage' in answer && answer.usage !== undefined ? answer.usage : turn.usage,
    };
  }
  if ('refusal' in answer) return { ...turn, text: answer.refusal, end: 'refusal' };
  if ('cut' in answer) return { ...turn, text: answer.cut, end: 'length', usage: answer.usage ?? turn.usage };
  if ('whole' in answer) return { ...turn, text: answer.whole, end: answer.end ?? 'done' };
  if ('breaks' in answer) return { ...turn, text: answer.breaks };
  if ('stops' in answer) return { ...turn, text: answer.stops };
  if ('drips' in answer) return { ...turn, text: answer.drips };
  if ('pauses' in answer) return { ...turn, text: answer.pauses };
  return 'failsInStream' in answer ? { ...turn, text: answer.failsInStream } : turn;
}

const PIECE = /[\s\S]{1,7}/gu;

async function sendStream(
  response: ServerResponse,
  wire: ModelWire,
  turn: ModelTurn,
  answer: ModelAnswer,
  request: Json,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of wire.opening(turn)) response.write(event);
  const thoughts = 'reasons' in answer ? answer.reasons : 0;
  for (let thought = 0; thought < thoughts; thought++) {
    await flushed(response, wire.thought(turn));
    if ('everyMs' in answer) await pause(answer.everyMs);
  }
  for (const piece of turn.text.match(PIECE) ?? []) {
    await flushed(response, wire.piece(piece, turn));
    if (response.destroyed) return;
    if ('drips' in answer) await pause(answer.everyMs);
  }
  if ('pauses' in answer) return;
  if ('breaks' in answer) return void response.destroy();
  if ('stops' in answer) return void response.end();
  if ('failsInStream' in answer) return void response.end(wire.errorEvent(answer));
  response.end(wire.closing(turn, request).join(''));
}

/** Writes, and waits until the bytes are with the system. */
function flushed(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => response.write(text, () => resolve()));
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  sendText(response, status, JSON.stringify(body), headers);
}

function sendText(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
