import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

// Then the process that made it, and six random characters.
const PREFIX = 'stallhand-browser-';
const NAME = new RegExp(`^${PREFIX}(\\d+)-`);

/** Makes the folder of one browser's profile in `root`, and removes those whose makers are gone. */
export async function makeProfile(root: string): Promise<string> {
  await removeLeftProfiles(root);
  return mkdtemp(join(root, `${PREFIX}${process.pid}-`));
}

/** The last processes of a browser may still be writing when the first has ended. */
export async function removeProfile(profile: string): Promise<void> {
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

// A killed process leaves its profiles, and nobody else knows of them. What belongs to another user stays.
async function removeLeftProfiles(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const [, maker] = NAME.exec(name) ?? [];
    if (maker === undefined) continue;
    const profile = join(root, name);
    if (await isLeft(profile, Number(maker)))
      await rm(profile, { recursive: true, force: true }).catch(() => {});
  }
}

async function isLeft(profile: string, maker: number): Promise<boolean> {
  // In a container the process has the same number after every start.
  if (maker === process.pid) return isOlder(profile);
  try {
    process.kill(maker, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

async function isOlder(profile: string): Promise<boolean> {
  const about = await stat(profile).catch(() => undefined);
  return about !== undefined && about.birthtimeMs < Date.now() - process.uptime() * 1000;
}
