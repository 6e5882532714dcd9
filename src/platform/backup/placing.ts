import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../errors.ts';
import { nameOfKey } from '../secret-box.ts';
import { keyFile, parseKey } from '../secret-box-key.ts';
import type { Manifest } from './archive.ts';
import type { Kept } from './kept.ts';

export type Placing = {
  /** Stores a file, unless its key has one: a key always has the same content. */
  placeFile(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  placeKey(text: string): Promise<void>;
  /** From now on the rows may count, so the placed files stay. */
  keep(): void;
  /** Removes the placed files that are not kept. */
  undo(): Promise<void>;
};

/**
 * Puts files and the key where a server has them, and can remove them again until it is certain that the rows
 * follow.
 */
export function createPlacing({ blobs, dataDir }: Kept, workspace: string): Placing {
  const placed: (() => Promise<void>)[] = [];
  return {
    async placeFile(key, content) {
      const there = await blobs.open(key);
      there?.stream.destroy();
      if (there) {
        for await (const _chunk of content);
        return;
      }
      const path = join(workspace, 'file');
      await pipeline(content, createWriteStream(path, { mode: 0o600 }));
      placed.push(() => blobs.delete(key));
      await blobs.putFile(key, path);
    },

    async placeKey(text) {
      const place = keyFile(dataDir);
      const draft = `${place}.${randomUUID()}`;
      try {
        await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
        await link(draft, place);
        placed.push(() => rm(place, { force: true }));
      } catch (error) {
        // `requireKey` has seen that it is the same.
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      } finally {
        await rm(draft, { force: true });
      }
    },

    keep() {
      placed.length = 0;
    },

    async undo() {
      for (const remove of placed.splice(0)) await remove();
    },
  };
}

/**
 * Refuses a place whose key is not the one that sealed what is in the backup.
 * @throws Fault conflict.backup_key and .backup_setting_key
 */
export async function requireKey({ encryptionKey, dataDir }: Kept, key: Manifest['key']): Promise<void> {
  if (key.name === undefined) return;
  if (encryptionKey !== undefined) {
    if (nameOfKey(Buffer.from(encryptionKey)) !== key.name) throw new Fault('conflict.backup_setting_key');
    return;
  }
  const file = keyFile(dataDir);
  const text = await readFile(file, 'utf8').catch(undefinedIfMissing);
  if (text !== undefined && nameOfKey(parseKey(text, file)) !== key.name)
    throw new Fault('conflict.backup_key', { file });
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
