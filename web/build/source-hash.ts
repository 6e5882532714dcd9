import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['web/src', 'web/build', 'web/public', 'locales/web', 'locales/public', 'content/blog'];
const FILES = ['web/index.html', 'web/public.html', 'package-lock.json'];

/** A digest of everything the built client depends on; the same on every machine. */
export async function sourceHash(): Promise<string> {
  const inFolders = await Promise.all(FOLDERS.map(filesUnder));
  const hash = createHash('sha256');
  for (const file of [...inFolders.flat(), ...FILES].sort()) {
    const text = await readFile(join(ROOT, file));
    hash.update(`${file.replaceAll('\\', '/')}\0${text.length}\0`).update(text);
  }
  return hash.digest('hex');
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
}
