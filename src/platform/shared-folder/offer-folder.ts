import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Log } from '../log.ts';
import { type HolderNote, readNote, removeNote, writeNote } from './holder-note.ts';
import { readLine } from './lines.ts';
import { proveAsHolder } from './mutual-proof.ts';

/** Bytes of a socket's path that every system takes. */
const LONGEST_ADDRESS = 100;
const INSIDE = /^holder-[0-9a-f]{12}\.sock$/;
const OWN_FOLDER = 'stallhand-holder-';
const OUTSIDE = 'holder.sock';
/** Milliseconds after which a guest without proof is disconnected. */
const PROOF_MS = 5_000;
/** Connections at one time: a process has one. */
const MOST_GUESTS = 100;

export type FolderOffer = {
  /** Takes no more guests. Accepted guests keep their sockets. */
  close(): Promise<void>;
};

type Parts = {
  readonly dataDir: string;
  readonly log: Log;
  /** A guest that has proven itself, with what it asks for. The socket is its own from then on. */
  readonly receive: (socket: Socket, ask: unknown) => void;
};

/**
 * Lets other processes of this user reach the one that holds a folder. Call it as the holder of the folder's lock: what an
 * earlier holder left is removed.
 */
export async function offerFolder({ dataDir, log, receive }: Parts): Promise<FolderOffer> {
  const folder = resolve(dataDir);
  const before = await readNote(folder);
  if (before) await removeSocket(folder, before.address);
  const sockets = new Set<Socket>();
  const proven = new AbortController();
  let secret: string | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => {});
    admit(socket, secret, proven.signal)
      .then((ask) => {
        sockets.delete(socket);
        receive(socket, ask);
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a process that asked for the data was not let in');
        socket.destroy();
      });
  });
  server.maxConnections = MOST_GUESTS;
  const note = await listen(server, folder);
  secret = note.secret;
  // It lives as long as its process.
  server.unref();
  return {
    async close() {
      proven.abort(new Error('the holder ends'));
      await removeNote(folder, note);
      server.close();
      for (const socket of sockets) socket.destroy();
      await removeSocket(folder, note.address);
    },
  };
}

async function admit(socket: Socket, secret: string | undefined, ended: AbortSignal): Promise<unknown> {
  if (secret === undefined) throw new Error('the holder has not begun');
  const signal = AbortSignal.any([AbortSignal.timeout(PROOF_MS), ended]);
  await proveAsHolder(socket, secret, signal);
  return readLine(socket, signal);
}

/** Listens at a place that only this user reaches, and notes it in the folder. */
async function listen(server: Server, folder: string): Promise<HolderNote> {
  const address = await newAddress(folder);
  await new Promise<void>((settle, reject) => {
    server.once('error', reject);
    server.listen(address, () => settle());
  });
  server.on('error', () => {});
  if (process.platform !== 'win32') await chmod(address, 0o600);
  return writeNote(folder, address);
}

async function newAddress(folder: string): Promise<string> {
  const name = `holder-${randomBytes(6).toString('hex')}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\stallhand-${name}`;
  const address = join(folder, `${name}.sock`);
  if (Buffer.byteLength(address) <= LONGEST_ADDRESS) return address;
  // Made with mode 0700.
  return join(await mkdtemp(join(tmpdir(), OWN_FOLDER)), OUTSIDE);
}

/**
 * Removes a socket that this program made, and the folder of its own that it has where it did not fit into the data
 * folder. The address may come from the note of a folder that was copied or moved, so it is held to the two forms that
 * `newAddress` gives, and only an empty folder is removed. A named pipe ends with its process.
 */
async function removeSocket(folder: string, address: string): Promise<void> {
  const isInside = dirname(address) === folder && INSIDE.test(basename(address));
  const own = dirname(address);
  const isOutside =
    basename(address) === OUTSIDE && dirname(own) === tmpdir() && basename(own).startsWith(OWN_FOLDER);
  if (!isInside && !isOutside) return;
  await rm(address, { force: true });
  if (isOutside) await rmdir(own).catch(() => {});
}
