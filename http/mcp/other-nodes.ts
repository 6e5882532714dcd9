import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, request as requestOverHttp } from 'node:http';
import { request as requestOverHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { App } from '../../src/app.ts';
import { requestIdOf } from '../request.ts';
import { PASSED, passedMac } from './accept-passed.ts';
import type { Guest } from './admission.ts';

/** Finds the sessions of other nodes. */
export type OtherNodes = {
  /** For a session at this node. Cannot be guessed. */
  newSessionId(): string;
  /** Hands a request on to the node that has the session, and its answer back; false where no living node has it. */
  passOn(session: string, req: Request, res: Response, guest: Guest): Promise<boolean>;
};

export const NO_OTHER_NODES: OtherNodes = { newSessionId: randomUUID, passOn: async () => false };

/** The ID of a node, and what cannot be guessed. */
const SESSION = /^(node_[0-9a-z]+)\.[0-9a-f-]{36}$/;
const CONNECT_MS = 2_000;

/** Finds the node of a session by the session's ID, and its address in the database. */
export function createOtherNodes({ nodes, nodeSecret }: Pick<App, 'nodes' | 'nodeSecret'>): OtherNodes {
  return {
    newSessionId: () => `${nodes.id}.${randomUUID()}`,
    async passOn(session, req, res, { body }) {
      const [, node] = SESSION.exec(session) ?? [];
      // It has come from a node that took this one for the session's.
      if (node === undefined || res.locals['passed']) return false;
      const address = await nodes.addressOf(node);
      if (address === undefined) return false;
      const { protocol, ip = '' } = req;
      const mac = await passedMac(nodeSecret, req, protocol, ip);
      const headers = { ...passedHeaders(req), [PASSED]: `${protocol} ${ip} ${mac}` };
      return send({ url: `${address}${req.originalUrl}`, headers, body }, req, res);
    },
  };
}

/** Of one connection, or written again for the next one. */
const OF_THE_CONNECTION =
  /^(connection|keep-alive|te|trailer|upgrade|expect|transfer-encoding|content-(length|encoding)|forwarded|x-forwarded-.*)$/;

function passedHeaders(req: Request): OutgoingHttpHeaders {
  const kept = Object.entries(req.headers).filter(([name]) => !OF_THE_CONNECTION.test(name));
  return { ...Object.fromEntries(kept), 'x-request-id': requestIdOf(req) };
}

type Passed = { readonly url: string; readonly headers: OutgoingHttpHeaders; readonly body: unknown };

/** False while the request has reached no one. After that, a connection that breaks breaks the caller's. */
function send({ url, headers, body }: Passed, { method }: Request, res: Response): Promise<boolean> {
  return new Promise((resolve) => {
    let reached = false;
    const [request, isOpen] = url.startsWith('https:')
      ? ([requestOverHttps, 'secureConnect'] as const)
      : ([requestOverHttp, 'connect'] as const);
    // With a connection of its own: one that was kept may have ended since, and what it was sent is not sent again.
    const onward = request(url, { method, headers, agent: false });
    const late = setTimeout(() => onward.destroy(new Error('not reached')), CONNECT_MS);
    onward.once('socket', (socket) =>
      socket.once(isOpen, () => {
        reached = true;
        clearTimeout(late);
      }),
    );
    onward.once('response', (answer) => void answerWith(answer, res).then(() => resolve(true)));
    onward.once('error', () => {
      clearTimeout(late);
      if (reached) res.destroy();
      resolve(reached);
    });
    res.once('close', () => onward.destroy());
    onward.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function answerWith(answer: IncomingMessage, res: Response): Promise<void> {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...headers } = answer.headers;
  res.writeHead(answer.statusCode ?? 502, headers);
  // A stream may have nothing to say for long.
  res.flushHeaders();
  // One side has gone, and the other with it.
  await pipeline(answer, res).catch(() => {});
}
