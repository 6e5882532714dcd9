import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasGit = spawnSync('git', ['--version']).status === 0;
if (!hasGit) console.warn('git is not installed: the tests that compare with it are SKIPPED');

/** A folder outside any repository in which git runs without anybody's settings. */
export function gitFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-git-'));
  const env = {
    ...process.env,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CEILING_DIRECTORIES: tmpdir(),
  };
  return {
    path: (name: string) => join(folder, name),
    write(files: Readonly<Record<string, string>>) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    },
    git: (...args: string[]) => spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
