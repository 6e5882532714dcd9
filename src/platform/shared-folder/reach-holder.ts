import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { readNote } from './holder-note.ts';
import { readLine, writeLine } from './lines.ts';
import { proveAsGuest } from './mutual-proof.ts';

/** A holder that has not answered by then does not, in milliseconds. */
const ANSWER_MS = 10_000;

export type Reached = {
  readonly socket: Socket;
  /** What the holder said to what it was asked. */
  readonly answer: unknown;
};

/**
 * Asks the process that holds a folder for something. Undefined when none answers that knows the folder's secret: none is
 * there, it has just ended, or it is a stranger, who has been told nothing.
 * @param waitMs How long the holder may take for its answer, in milliseconds.
 */
export async function reachHolder(
  dataDir: string,
  ask: unknown,
  waitMs = ANSWER_MS,
): Promise<Reached | undefined> {
  const note = await readNote(resolve(dataDir));
  if (!note) return undefined;
  const socket = connect(note.address);
  // Errors end the socket, which the reader hears of.
  socket.on('error', () => {});
  try {
    await proveAsGuest(socket, note.secret, AbortSignal.timeout(ANSWER_MS));
    writeLine(socket, ask);
    return { socket, answer: await readLine(socket, AbortSignal.timeout(waitMs)) };
  } catch {
    socket.destroy();
    return undefined;
  }
}
