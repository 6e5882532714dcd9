import type { Connection } from './watched-hosts.ts';

/** Counts the connections that `connect` opened and that are not closed. */
export function createConnectionCount(connect: () => Promise<Connection>) {
  let open = 0;
  return {
    open: () => open,
    async connect(): Promise<Connection> {
      const connection = await connect();
      open++;
      connection.stream.once('close', () => open--);
      return connection;
    },
  };
}
