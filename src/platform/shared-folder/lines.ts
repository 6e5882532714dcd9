import type { Duplex } from 'node:stream';

/** Bytes of a line before it is known who sends it. */
const LONGEST_LINE = 16 * 1024;
const NEWLINE = 0x0a;

export function writeLine(socket: Duplex, value: unknown): void {
  socket.write(`${JSON.stringify(value)}\n`);
}

/**
 * The next line as JSON, undefined where it is none; what comes after it stays in the socket.
 * @throws Error when the socket ends or the line is too long; the signal's reason
 */
export async function readLine(socket: Duplex, signal: AbortSignal): Promise<unknown> {
  let held = Buffer.alloc(0);
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      await moreOf(socket, signal);
      continue;
    }
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf(NEWLINE);
    if (end >= 0) {
      if (held.length > end + 1) socket.unshift(held.subarray(end + 1));
      return parsed(held.subarray(0, end).toString('utf8'));
    }
    if (held.length > LONGEST_LINE) throw new Error('a line is too long');
  }
}

/** Resolves when there may be more to read. */
function moreOf(socket: Duplex, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      socket.off('readable', readable).off('end', ended).off('close', ended).off('error', settle);
      signal.removeEventListener('abort', aborted);
      if (error === undefined) resolve();
      else reject(error);
    };
    const readable = () => settle();
    const ended = () => settle(new Error('the other end closed the connection'));
    const aborted = () => settle(signal.reason);
    if (signal.aborted) return aborted();
    if (socket.readableEnded || socket.destroyed) return ended();
    socket.on('readable', readable).on('end', ended).on('close', ended).on('error', settle);
    signal.addEventListener('abort', aborted);
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
