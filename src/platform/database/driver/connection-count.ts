import type { Duplex } from 'node:stream';

/** Counts the connections that `connect` opened and that are not closed. */
export function createConnectionCount(connect: () => Promise<Duplex>) {
  let open = 0;
  return {
    open: () => open,
    async connect(): Promise<Duplex> {
      const socket = await connect();
      open++;
      socket.once('close', () => open--);
      return socket;
    },
  };
}
