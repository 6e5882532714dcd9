import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { machineEnvironment } from '../machine-environment.ts';

export type FoundBrowser = {
  readonly executable: string;
  /** `shell` is chrome-headless-shell, which has no window and prints about twice as fast. */
  readonly kind: 'shell' | 'full';
  /** Environment variables it needs besides the machine's. */
  readonly environment: Readonly<Record<string, string>>;
};

const VERSION_TIMEOUT_MS = 15_000;

/** Returns whether `--version` names a browser. @throws Error when the program does not start */
export async function probeBrowser(
  file: string,
  environment: FoundBrowser['environment'] = {},
): Promise<boolean> {
  const env = { ...machineEnvironment(), ...environment };
  const { stdout } = await promisify(execFile)(file, ['--version'], { env, timeout: VERSION_TIMEOUT_MS });
  return /chrom(e|ium)|edge/i.test(stdout);
}
