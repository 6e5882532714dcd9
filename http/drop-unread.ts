import type { Server } from 'node:http';

const UNREAD_MS = 5 * 60 * 1000;

/**
 * Ends connections whose client has taken nothing for a while of what was sent to it: an answer would be held as long as it stays.
 * One that waits for an answer in the making, or on a quiet stream, is left alone.
 */
export function dropUnread(http: Server, ms = UNREAD_MS): void {
  http.setTimeout(ms, (socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });
}
