import type { Server } from 'node:http';

const UNREAD_MS = 5 * 60 * 1000;

/**
 * Ends connections whose client has read nothing for a while: their responses would stay in memory. A client that waits
 * for a response, or for the next event of a stream, keeps its connection.
 */
export function dropUnread(http: Server, ms = UNREAD_MS): void {
  http.setTimeout(ms, (socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });
}
