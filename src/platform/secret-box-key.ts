import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault } from '../errors.ts';
import type { Database } from './database/database.ts';
import { onceAsync } from './once-async.ts';

type SecretBoxKeyDeps = {
  /** The operator's. */
  readonly encryptionKey: string | undefined;
  readonly engine: Database['engine'];
  readonly dataDir: string;
};

const BYTES = 32;

/**
 * The key of the secret box: the operator's, or, with the embedded database, its own key in a file beside the
 * data folder, so that a copy of the folder does not contain the key. It is made on first use. With PostgreSQL
 * the file is there after the move from an embedded database, and is never made: nodes would make different
 * ones. The promise is rejected with Fault not_configured.encryption where there is neither.
 */
export function secretBoxKey({ encryptionKey, engine, dataDir }: SecretBoxKeyDeps): () => Promise<Buffer> {
  return onceAsync(find);

  async function find(): Promise<Buffer> {
    if (encryptionKey) return Buffer.from(encryptionKey);
    const file = keyFile(dataDir);
    try {
      const key = engine === 'postgres' ? await read(file) : await fileKey(file);
      if (key) return key;
    } catch (cause) {
      throw new Fault('not_configured.encryption', {}, { cause });
    }
    throw new Fault('not_configured.encryption');
  }
}

/** Beside the data folder. */
export function keyFile(dataDir: string): string {
  return `${resolve(dataDir)}.key`;
}

/** The key that a file holds as text. @throws Error for another text */
export function parseKey(text: string, file: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== BYTES) throw new Error(`${file} holds no key of ${BYTES} bytes in base64`);
  return key;
}

async function fileKey(file: string): Promise<Buffer> {
  const found = await read(file);
  if (found) return found;
  await make(file);
  const made = await read(file);
  if (!made) throw new Error(`the key ${file} is gone again`);
  return made;
}

async function read(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseKey(text, file);
}

/**
 * Writes the key completely or not at all, and never replaces another: of two processes, the first one's key
 * stays.
 */
async function make(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(BYTES).toString('base64')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
