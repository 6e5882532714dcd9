import { isJSONRPCNotification, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import type { Visit } from '../call.ts';
import { type Listening, ListenRequest, listen } from '../subscriptions/listen.ts';
import type { ReadingParts } from '../visit-call.ts';

/** Requests to listen that one connection may have open. */
const MAX_LISTENING = 20;

type Parts = ReadingParts & { readonly version: string };
type Id = ListenRequest['id'];

/**
 * Serves the requests to listen of a connection, before its server sees them: call it before the server starts the
 * transport. What is no such request goes on to the server, which refuses a broken one.
 */
export function serveListening(transport: Transport, visit: Visit, parts: Parts): void {
  /** Undefined while it begins. */
  const open = new Map<Id, Listening | undefined>();
  // What cannot be sent is lost with the connection.
  const send = (message: object) => transport.send(message as JSONRPCMessage).catch(() => {});
  const { start } = transport;
  transport.start = () => {
    const { onmessage, onclose } = transport;
    transport.onmessage = (message, extra) => {
      const { data } = ListenRequest.safeParse(message);
      if (data) void begin(data);
      else if (!isCanceling(message)) onmessage?.(message, extra);
    };
    transport.onclose = () => {
      for (const id of [...open.keys()]) end(id);
      onclose?.();
    };
    return start.call(transport);
  };

  async function begin(request: ListenRequest): Promise<void> {
    const { id } = request;
    if (open.size >= MAX_LISTENING || open.has(id)) return refuse(id, 'Subscription limit reached');
    open.set(id, undefined);
    try {
      const listening = await listen(request, visit, { ...parts, send, onEnd: () => end(id) });
      // Canceled in the meantime.
      if (open.has(id)) open.set(id, listening);
      else listening.end();
    } catch {
      open.delete(id);
      await refuse(id, 'Internal error');
    }
  }

  function refuse(id: Id, message: string): Promise<void> {
    return send({ jsonrpc: '2.0', id, error: { code: -32603, message } });
  }

  function isCanceling(message: JSONRPCMessage): boolean {
    const isCancel = isJSONRPCNotification(message) && message.method === 'notifications/cancelled';
    const id = isCancel ? message.params?.['requestId'] : undefined;
    return (typeof id === 'string' || typeof id === 'number') && end(id);
  }

  function end(id: Id): boolean {
    open.get(id)?.end();
    return open.delete(id);
  }
}
