import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs packages into a folder of the temporary one, once for each choice of them: together they are larger than
 * the product with everything it needs. Only the scripts of `linked` run, which put a binary from npm in its place.
 * @returns the folder
 */
export async function installPackages(
  packages: readonly string[],
  linked: readonly string[],
): Promise<string> {
  const choice = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `stallhand-clients-${choice}`);
  const done = join(folder, 'installed');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const npm = (...args: readonly string[]) => promisify(execFile)('npm', args, { cwd: folder });
  await npm('install', ...options, '--ignore-scripts', ...packages);
  await npm('rebuild', ...options, ...linked);
  writeFileSync(done, '');
  return folder;
}
