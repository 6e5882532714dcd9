import { randomUUID } from 'node:crypto';
import { chmod, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export type DataFolder = 'none' | 'database' | 'something else';

/** What is at the place of the database. */
export async function lookAt(folder: string): Promise<DataFolder> {
  const names: string[] = await readdir(folder).catch(() => []);
  if (names.includes('PG_VERSION')) return 'database';
  return names.length === 0 ? 'none' : 'something else';
}

/**
 * Has `fill` make the database in a folder beside and puts it in its place whole,
 * so that a process killed on the way leaves no half database. The caller holds the folder's lock.
 */
export async function fillFolder(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${folder}.tmp-${randomUUID()}`;
  try {
    await fill(draft);
    await chmod(draft, 0o700);
    await rmdir(folder).catch(() => {});
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes what killed processes left of a beginning. The caller holds the folder's lock, so no other is making one. */
export async function removeDrafts(folder: string): Promise<void> {
  const start = `${basename(folder)}.tmp-`;
  const drafts = (await readdir(dirname(folder))).filter((name) => name.startsWith(start));
  await Promise.all(drafts.map((name) => rm(join(dirname(folder), name), { recursive: true, force: true })));
}
