import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { candidates } from '../../cli/completion.ts';
import { completionScript } from '../../cli/completion-scripts.ts';
import { OPERATIONS } from './terminal.ts';

/** What may follow a line; its last word is being typed. */
const after = async (line: string) => (await candidates(OPERATIONS, line.split(' '))).join(' ');

test.for([
  ['templ', 'templates'],
  ['create_v', 'create_video'],
  ['log', 'login logout'],
  ['templates re', 'restore render'],
  ['template ren', 'render'],
  ['help videos cr', 'create'],
  ['help comp', 'completion'],
  ['completion ', 'bash zsh fish'],
  ['backup ', 'save verify restore'],
  ['backup save ', ''],
  ['admin ', 'accounts users keys usage limits jobs syncs connections'],
  ['admin acc', 'accounts'],
  ['admin accounts ', 'list show plan close reopen'],
  ['help admin keys ', 'list create revoke'],
  ['admin accounts show ', ''],
  ['admin accounts list --', '--query --limit --json --help'],
  ['admin accounts plan acc_1 --a', '--app'],
  ['admin accounts plan acc_1 --app ', 'hooks sync'],
  ['admin accounts plan acc_1 --app hooks ', ''],
  ['pull --f', '--force'],
  ['mcp --', '--url --token --account --help'],
  ['login --t', '--token'],
  ['videos create --asp', '--aspect'],
  ['create-video --w', '--width --wait-seconds --webhook-url --wait'],
  ['videos create --aspect 9', '9:16'],
  ['videos create --aspect=9', '--aspect=9:16'],
  ['templates render welcome --on-missing ', 'fallback error keep'],
  ['templates promote welcome ', 'staging production'],
  ['templates promote welcome --to staging --fo', '--force'],
  ['templates preview --devices phone,t', 'phone,tablet'],
  ['bundles export --no-', '--no-assets'],
] as const)("after '%s' comes '%s'", async ([line, next]) => expect(await after(line)).toBe(next));

test('the first word is a command or a noun, and an operation once it is begun', async () => {
  expect((await after('')).split(' ')).toEqual(
    expect.arrayContaining(['serve', 'tools', 'templates', 'sync-runs']),
  );
  expect(await after('')).not.toContain('create_template');
});

test('a flag is offered once, and in place of its value nothing, so that the shell offers files', async () => {
  expect(await after('videos create --json --')).not.toContain('--json');
  expect(await after('videos create --out ')).toBe('');
  expect(await after('videos create --title ')).toBe('');
  expect(await after('assets put images/mug.jpg @')).toBe('');
  expect(await after('videos create --out mug.mp4 --j')).toBe('--json');
});

// The scripts, run by the shells themselves.
const folder = mkdtempSync(join(tmpdir(), 'stallhand-'));
afterAll(() => rmSync(folder, { recursive: true }));
symlinkSync(join(import.meta.dirname, '../../bin/stallhand.cjs'), join(folder, 'stallhand'));
writeFileSync(join(folder, 'mug.mp4'), '');

/** What a shell offers for a line with the cursor at its end. */
const SHELLS = {
  bash: (line: string) => `
${completionScript('bash')}
COMP_LINE='${line}' COMP_POINT=${line.length}
_stallhand
printf '%s\\n' "\${COMPREPLY[@]}"`,
  // compadd and compset only work while zsh completes, so they say what they would do.
  zsh: (line: string) => `
compadd() { print -l -- "\${@:2}" }
compset() { [[ $PREFIX == \${~2}* ]] && PREFIX=\${PREFIX#\${~2}} }
_files() { print -l -- $PREFIX*(N) }
compdef() { }
words=(\${(s: :)\${:-'${line}'}}) CURRENT=$#words PREFIX=$words[-1]
${completionScript('zsh')}
_stallhand`,
  fish: (line: string) => `
${completionScript('fish')}
complete -C '${line}'`,
};

describe.for(Object.entries(SHELLS))('%s', ([shell, script]) => {
  const isThere = spawnSync(shell, ['-c', 'true']).error === undefined;
  test.skipIf(!isThere).for([
    ['stallhand create_v', 'create_video'],
    ['stallhand videos create --quality h', 'high'],
    ['stallhand admin accounts sh', 'show'],
    // Bash completes only what follows the colon.
    ['stallhand videos create --aspect 9:', shell === 'bash' ? '16' : '9:16'],
    ['stallhand assets put a.mp4 @mu', shell === 'zsh' ? 'mug.mp4' : '@mug.mp4'],
  ])("completes '%s' to '%s'", ([line = '', word]) => {
    const PATH = [folder, dirname(process.execPath), process.env['PATH']].join(':');
    const said = execFileSync(shell, ['-c', script(line)], { cwd: folder, env: { ...process.env, PATH } });
    expect(String(said).trim()).toBe(word);
  });
});
