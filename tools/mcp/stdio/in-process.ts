import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server';
import type { Partner, PartnerEvents } from './conversation.ts';

/** Starts a server of this process as a partner of a conversation. */
export async function startInProcess(
  serve: (transport: Transport) => { close(): Promise<void> },
  events: PartnerEvents,
): Promise<Partner> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  near.onmessage = (message) => events.message(message);
  near.onclose = () => events.closed();
  const { close } = serve(far);
  await near.start();
  return {
    // The server takes every message; what is wrong with one, it answers.
    send: (message) => void near.send(message).catch(() => {}),
    close,
  };
}
