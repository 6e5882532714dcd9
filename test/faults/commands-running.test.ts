import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from './server-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// Each start opens an embedded database, which a busy machine takes its time for.
describe('commands of the operator beside a server', { timeout: 300_000 }, () => {
  let place: string;
  let server: ServerProcess | undefined;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'commands-'));
  });
  afterEach(async () => {
    await server?.kill();
    server = undefined;
    await rm(place, { recursive: true, force: true });
  });

  async function command(
    dataDir: string,
    words: readonly string[],
    more: { readonly uid?: number; readonly gid?: number } = {},
  ) {
    const [name = '', ...rest] = words;
    const child = spawn(process.execPath, [join(ROOT, `tools/commands/${name}.ts`), ...rest], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, HOME: '/tmp' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...more,
    });
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await once(child, 'exit');
    const [out, err] = await said;
    return { code, out, err };
  }

  test('a key is made and works while the server runs, and after kill -9 the next command opens the database', async () => {
    const dataDir = join(place, 'data');
    server = await startProcess(dataDir, { AUTH_MODE: 'required' });
    const made = await command(dataDir, ['keys', 'create', 'ci']);
    expect(made).toMatchObject({ code: 0, err: '' });
    const authorization = `Bearer ${made.out.split('\n')[0]}`;
    const list = await fetch(`${server.url}/v1/templates`, { headers: { authorization } });
    expect(list.status).toBe(200);
    expect(await command(dataDir, ['migrate', '--status'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('none pending'),
    });
    const { out } = await command(dataDir, ['doctor']);
    expect(out).toMatch(new RegExp(`ok +database +embedded, version .* in use by process ${server.pid}`));
    expect(out).toMatch(/ok +schema +up to date/);

    await server.kill();
    expect(await readdir(dataDir)).toContain('holder.json');
    const after = await command(dataDir, ['keys', 'list']);
    expect(after).toMatchObject({ code: 0, err: '' });
    expect(after.out).toMatch(/ ci /);
  });

  test('a folder whose path is too long for a socket works too', async () => {
    const dataDir = join(place, 'a-rather-long-name'.repeat(6), 'data');
    await mkdir(dataDir, { recursive: true });
    server = await startProcess(dataDir);
    const { address } = JSON.parse(await readFile(join(dataDir, 'holder.json'), 'utf8'));
    expect(address.startsWith(dataDir)).toBe(false);
    expect(await command(dataDir, ['keys', 'create', 'ci'])).toMatchObject({ code: 0, err: '' });
  });

  test.runIf(process.getuid?.() === 0)(
    'root is refused on the data of the user who runs the server, and leaves nothing there',
    async () => {
      const dataDir = join(place, 'data');
      await mkdir(dataDir, { mode: 0o700 });
      await chmod(place, 0o755);
      await chown(dataDir, 65_534, 65_534);
      const commands = [
        ['keys', 'list'],
        ['migrate', '--status'],
        ['doctor'],
        ['backup', 'save', join(place, 'file')],
        ['backup', 'restore', join(place, 'file')],
      ];
      for (const words of commands) {
        const { code, out, err } = await command(dataDir, words);
        expect({ words, code, said: out + err }).toEqual({
          words,
          code: 1,
          said: expect.stringMatching(/belongs to user 65534[\s\S]*Use sudo -u '#65534'\./),
        });
      }
      expect(await readdir(dataDir)).toEqual([]);
      const made = await command(dataDir, ['keys', 'create', 'ci'], { uid: 65_534, gid: 65_534 });
      expect(made.code).toBe(0);
    },
  );

  test.runIf(process.getuid?.() === 0)('lock files of another user are told in a sentence', async () => {
    const dataDir = join(place, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    await chmod(place, 0o755);
    await writeFile(join(dataDir, 'database.lock.1'), '{}', { mode: 0o600 });
    await chown(dataDir, 65_534, 65_534);
    const { code, err } = await command(dataDir, ['keys', 'list'], { uid: 65_534, gid: 65_534 });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^This user can't use the lock files in .*which belong to another user\./),
    });
  });

  test.runIf(process.getuid?.() === 0)('another user is refused in a sentence', async () => {
    const dataDir = join(place, 'data');
    server = await startProcess(dataDir);
    await chmod(place, 0o755);
    const { code, out, err } = await command(dataDir, ['keys', 'create', 'ci'], { uid: 65_534 });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `${dataDir} belongs to user 0, and only that user can run commands on it. Use sudo -u '#0'.\n`,
    );
  });
});
