import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { readNote } from './holder-note.ts';
import { readLine, writeLine } from './lines.ts';
import { proveAsGuest } from './mutual-proof.ts';

/** Milliseconds after which a holder without an answer counts as gone. */
const ANSWER_MS = 10_000;

export type Reached = {
  readonly socket: Socket;
  /** The holder's answer to a request. */
  readonly answer: unknown;
};

/**
 * Asks the process that holds a folder for something. Undefined when no process answers that knows the folder's
 * secret: there is none, it has just ended, or it is a stranger, which learns nothing.
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
  // Errors end the socket, which the reader notices.
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
