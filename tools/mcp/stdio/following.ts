import type { JSONRPCNotification, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import { LISTEN_METHOD } from '../subscriptions/listen-method.ts';

/** More than a server takes. */
const MAX_SUBSCRIBED = 200;
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/**
 * The subscriptions of a client: every partner of the conversation gets them, and the client does not have to
 * ask again.
 */
export function createFollowing() {
  const listening = new Map<RequestId, JSONRPCRequest>();
  const subscribed = new Map<string, JSONRPCRequest>();
  const acknowledged = new Set<unknown>();

  return {
    /** Takes note of a request to follow something, or to follow it no longer. */
    note(request: JSONRPCRequest): void {
      const uri = String(request.params?.['uri']);
      if (request.method === LISTEN_METHOD) listening.set(request.id, request);
      if (request.method === 'resources/subscribe' && subscribed.size < MAX_SUBSCRIBED)
        subscribed.set(uri, request);
      if (request.method === 'resources/unsubscribe') subscribed.delete(uri);
    },

    /** Whether the request of this ID listened; it does no longer. */
    forget(id: unknown): boolean {
      if (typeof id !== 'string' && typeof id !== 'number') return false;
      acknowledged.delete(id);
      return listening.delete(id);
    },

    isListening: (): boolean => listening.size > 0,

    /** The requests for a new partner. A subscription has been answered once, so its answer is for no one. */
    requests(partner: number): readonly JSONRPCRequest[] {
      const again = [...subscribed.values()].map((request, at) => ({
        ...request,
        id: `follow-${partner}-${at}`,
      }));
      return [...listening.values(), ...again];
    },

    /** Whether a message says once more that the client listens. */
    isRepeated(message: JSONRPCNotification): boolean {
      if (message.method !== ACKNOWLEDGED) return false;
      const id = message.params?._meta?.[SUBSCRIPTION_ID];
      if (acknowledged.has(id)) return true;
      acknowledged.add(id);
      return false;
    },
  };
}
