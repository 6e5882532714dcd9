import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KINDS = ['browser', 'clip', 'file', 'sound', 'video'] as const;
const NAME = new RegExp(`^stallhand-(?:${KINDS.join('|')})-(\\d+)-`);

/** Creates a folder that no one else can reach, whose name begins with `stallhand-`, the kind and the process. */
export function makeProcessFolder(kind: (typeof KINDS)[number], root = tmpdir()): Promise<string> {
  return mkdtemp(join(root, `stallhand-${kind}-${process.pid}-`));
}

/** Removes the folders that processes which were killed have left. Those of other users are skipped. */
export async function removeStaleFolders(root = tmpdir()): Promise<void> {
  for (const name of await readdir(root)) {
    const [, maker] = NAME.exec(name) ?? [];
    if (maker === undefined) continue;
    const folder = join(root, name);
    if (await isStale(folder, Number(maker)))
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function isStale(folder: string, maker: number): Promise<boolean> {
  // In a container the process has the same pid after every start.
  if (maker === process.pid) return isOlder(folder);
  try {
    process.kill(maker, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

async function isOlder(folder: string): Promise<boolean> {
  const about = await stat(folder).catch(() => undefined);
  return about !== undefined && about.birthtimeMs < Date.now() - process.uptime() * 1000;
}
