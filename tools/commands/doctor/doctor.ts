import { environment } from '../../../src/config.ts';
import { checkDatabase } from './check-database.ts';
import { checkBrowser, checkFfmpeg, checkFiles, checkMail, checkPort } from './check-machine.ts';
import { checkSettings } from './check-settings.ts';
import type { Finding } from './finding.ts';

/**
 * Looks whether the server can do its work here. In: the environment that it would start with. Out: one finding or more for
 * each check. Changes nothing, but for the folder of files, which it makes as a start does.
 */
export async function examine(env = environment()): Promise<Finding[]> {
  const { config, finding } = checkSettings(env);
  if (!config) return [finding];
  const found = await Promise.all([
    checkDatabase(config),
    checkFiles(config),
    checkBrowser(config),
    checkFfmpeg(),
    checkMail(config),
    checkPort(config),
  ]);
  return [finding, ...found.flat()];
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
