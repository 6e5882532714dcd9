import { type Config, environment } from '../../../src/config.ts';
import { otherUserOf } from '../../../src/platform/shared-folder/holder-note.ts';
import { withTimeout } from '../../../src/platform/with-timeout.ts';
import { checkDatabase, WITHOUT_DATABASE } from './check-database.ts';
import { checkBrowser, checkFfmpeg, checkFiles, checkMail, checkPort } from './check-machine.ts';
import { checkSettings } from './check-settings.ts';
import { broken, type Finding, skipped } from './finding.ts';

/** For each check. The slowest, the browser, takes a few seconds on a busy machine. */
const LIMIT_MS = 60_000;

/**
 * Checks whether the server can work here. In: the environment that it would start with. Out: one finding or more for
 * each check, within a minute. Invariant: changes nothing but the folder of files, which it makes as a start does.
 */
export async function examine(env = environment(), limitMs = LIMIT_MS): Promise<Finding[]> {
  const { config, finding } = checkSettings(env);
  if (!config) return [finding];
  const another = await checkUser(config);
  if (another) return [finding, another];
  const found = await Promise.all([
    within(limitMs, ['database', ...WITHOUT_DATABASE], checkDatabase(config)),
    within(limitMs, [config.s3 ? 'bucket' : 'folder'], checkFiles(config)),
    within(limitMs, ['browser'], checkBrowser(config)),
    within(limitMs, ['ffmpeg'], checkFfmpeg()),
    within(limitMs, ['mail'], checkMail(config)),
    within(limitMs, ['port'], checkPort(config)),
  ]);
  return [finding, ...found.flat()];
}

/** A check that gets no answer is a finding, too; those that would have come after it are skipped. */
async function within(
  limitMs: number,
  [check = '', ...others]: readonly string[],
  checking: Promise<Finding | Finding[]>,
): Promise<Finding | Finding[]> {
  const late = new Error(`No answer within ${limitMs / 1000} s.`);
  const { signal } = new AbortController();
  return withTimeout(checking, { signal, timeoutMs: limitMs, timeoutError: () => late }).catch((error) => {
    if (error !== late) throw error;
    return [
      broken(check, late.message, 'Find the process, disk or server that does not respond.'),
      ...others.map((other) => skipped(other, `${check} did not answer.`)),
    ];
  });
}

/**
 * The rights of this user tell nothing about a server that runs as another user, and this user's files would be
 * in its way.
 */
async function checkUser({ databaseUrl, dataDir }: Config): Promise<Finding | undefined> {
  const uid = databaseUrl === undefined ? await otherUserOf(dataDir) : undefined;
  if (uid === undefined) return undefined;
  return broken('database', `${dataDir} belongs to user ${uid}.`, `Use sudo -u '#${uid}'.`);
}

/** The findings as a person reads them, or as one JSON object. */
export function report(findings: readonly Finding[], { json }: { readonly json: boolean }): string {
  const healthy = isHealthy(findings);
  if (json) return JSON.stringify({ healthy, findings }, null, 2);
  const lines = findings.map(({ check, state, found, advice }) => {
    const line = `${state.padEnd(8)} ${check.padEnd(9)} ${found.replaceAll('\n', '\n'.padEnd(20))}`;
    return advice === undefined ? line : `${line}\n${' '.repeat(19)}${advice}`;
  });
  return [...lines, '', healthy ? 'The server can work here.' : 'Something must be fixed.'].join('\n');
}

/** False if something is broken, which is the exit code 1. */
export function isHealthy(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== 'broken');
}
