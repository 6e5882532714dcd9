import { randomBytes, randomUUID } from 'node:crypto';
import { access, constants, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ownIdentity } from '../database/embedded/process-identity.ts';

/**
 * How the process that holds a folder is reached, in `holder.json` inside the folder, which only its owner can
 * read. A process that knows the secret may do what the owner of the folder may.
 */
const HolderNote = z.object({
  /** A Unix domain socket, or a named pipe of Windows. */
  address: z.string(),
  /** 32 random bytes in base64, new with each holder. */
  secret: z.string().length(44),
  /** The boot of the machine and the PID namespace: a socket of another container leads elsewhere. */
  host: z.string(),
  /** The real path of the folder: in a copy of it, or where it was moved to, the note leads nowhere. */
  folder: z.string(),
});
export type HolderNote = z.infer<typeof HolderNote>;

export async function writeNote(folder: string, address: string): Promise<HolderNote> {
  const { host } = await ownIdentity();
  const note = {
    address,
    secret: randomBytes(32).toString('base64'),
    host,
    folder: await realpath(folder),
  };
  const draft = join(folder, `holder-${randomUUID()}.tmp`);
  await writeFile(draft, JSON.stringify(note), { mode: 0o600, flag: 'wx' });
  await rename(draft, noteFile(folder));
  return note;
}

/**
 * The note of a holder on this machine, which may have ended since. Undefined for a note that others could have
 * written.
 */
export async function readNote(folder: string): Promise<HolderNote | undefined> {
  const text = await readOwn(noteFile(folder)).catch(() => undefined);
  if (text === undefined) return undefined;
  const note = HolderNote.safeParse(parsed(text)).data;
  const isHere = note?.host === (await ownIdentity()).host && note.folder === (await realpath(folder));
  return isHere ? note : undefined;
}

/**
 * The ID of the user who has the folder: its holder, else the owner of the database in it, else its own owner. Undefined if
 * that is this user. A folder that is empty and may be written to, such as a volume for a group, has no user yet, but for
 * root, who may write everywhere.
 */
export async function otherUserOf(folder: string): Promise<number | undefined> {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  const inside = (await ownerOf(noteFile(folder))) ?? (await ownerOf(join(folder, 'database')));
  const owner = inside ?? (await ownerOf(folder));
  if (owner === uid) return undefined;
  const isFree = inside === undefined && uid !== 0 && (await isWritable(folder));
  return isFree ? undefined : owner;
}

/** Undefined for a file that does not exist, or is in a folder that this user may not enter. */
async function ownerOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.uid;
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Removes the note unless a later holder has written its own. */
export async function removeNote(folder: string, { secret }: HolderNote): Promise<void> {
  const text = await readFile(noteFile(folder), 'utf8').catch(() => '');
  if (text.includes(secret)) await rm(noteFile(folder), { force: true });
}

/** The text of a file that only this user can read or write. */
async function readOwn(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { mode, uid } = await handle.stat();
    // Windows has no such bits; there the folder is in the user's profile.
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    return isOwn ? await handle.readFile('utf8') : undefined;
  } finally {
    await handle.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noteFile(folder: string): string {
  return join(folder, 'holder.json');
}
