import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What the tests open is built from the sources that are here. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, ['web/build.ts'], { cwd: ROOT });
}
