import type { Socket } from 'node:net';
import { isJSONRPCRequest, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { type StdioMcpParts, serveStdioMcp } from '../serve-stdio.ts';
import { LISTEN_METHOD } from '../subscriptions/listen-method.ts';
import { streamsOf } from './guest.ts';

export type GuestServer = {
  readonly closed: Promise<void>;
  /** Resolves when no request waits for its answer. */
  answered(): Promise<void>;
  close(): Promise<void>;
};

/** Serves MCP to another process, over its socket. */
export function serveGuest(socket: Socket, parts: Omit<StdioMcpParts, 'transport'>): GuestServer {
  const streams = streamsOf(socket);
  const requests = watchRequests(streams);
  const { closed, close } = serveStdioMcp({ ...parts, transport: streams });
  const end = closed.then(() => {
    socket.destroySoon();
    requests.forget();
  });
  return { closed: end, answered: requests.answered, close };
}

/** Watches a transport, once its owner has set its handlers, for requests without an answer. */
function watchRequests(transport: Transport) {
  const open = new Set<RequestId>();
  let idle = Promise.withResolvers<void>();
  const settle = () => {
    if (open.size > 0) return;
    idle.resolve();
    idle = Promise.withResolvers<void>();
  };
  const { start, send } = transport;
  transport.start = () => {
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      // A request to listen is answered when it ends.
      if (isJSONRPCRequest(message) && message.method !== LISTEN_METHOD) open.add(message.id);
      onmessage?.(message, extra);
    };
    return start.call(transport);
  };
  transport.send = async (message, options) => {
    await send.call(transport, message, options);
    if ('id' in message && !('method' in message) && message.id !== undefined) open.delete(message.id);
    settle();
  };
  return {
    answered: () => (open.size === 0 ? Promise.resolve() : idle.promise),
    forget() {
      open.clear();
      settle();
    },
  };
}
