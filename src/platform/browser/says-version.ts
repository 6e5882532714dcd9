import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { machineEnvironment } from '../machine-environment.ts';

export type FoundBrowser = {
  readonly executable: string;
  /** `shell` is chrome-headless-shell, which has no window at all and prints about twice as fast. */
  readonly kind: 'shell' | 'full';
  /** What it must find in its environment besides the machine's. */
  readonly environment: Readonly<Record<string, string>>;
};

const ANSWER_MS = 15_000;

/** Whether the program starts and says that it is a browser. @throws Error when it does not start */
export async function saysVersion(
  file: string,
  environment: FoundBrowser['environment'] = {},
): Promise<boolean> {
  const env = { ...machineEnvironment(), ...environment };
  const { stdout } = await promisify(execFile)(file, ['--version'], { env, timeout: ANSWER_MS });
  return /chrom(e|ium)|edge/i.test(stdout);
}
