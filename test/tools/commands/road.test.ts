import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { writeLine } from '../../../src/platform/shared-folder/lines.ts';
import { offerFolder } from '../../../src/platform/shared-folder/offer-folder.ts';
import { reachHolder } from '../../../src/platform/shared-folder/reach-holder.ts';
import { runCommand } from '../../../tools/commands/road/road.ts';
import { type Host, hostGuests } from '../../../tools/stdio/host-guests.ts';
import { openTestApp, PRODUCT, silentLog, type TestApp } from '../../support/app.ts';

let app: TestApp;
let dataDir: string;
let host: Host;
/** Has no database: what a command answers, the host has answered. */
const config = () => readConfig({ DATA_DIR: dataDir });

beforeAll(async () => {
  app = await openTestApp();
  dataDir = await mkdtemp(join(tmpdir(), 'road-'));
  host = await hostGuests({ app, config: config(), registry: PRODUCT, log: silentLog, baseUrl: '' });
});
afterAll(async () => {
  await host.close(0);
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('a command is run by the process that holds the data', async () => {
  const { done, said } = await runCommand('keys', ['create', 'ci'], config());
  expect(done).toBe(true);
  const key = said.split('\n')[0] ?? '';
  expect(await app.keys.resolve(key)).toMatchObject({ actor: 'key:ci' });
  expect((await runCommand('keys', ['list'], config())).said).toMatch(/^key_\w+ .* ci /);
});

test('a long answer comes whole', async () => {
  const { id } = await app.accounts.local();
  for (let number = 0; number < 200; number++)
    await app.keys.create(id, `long-${number}-${'x'.repeat(100)}`, ['templates:read'], null);
  const { said } = await runCommand('keys', ['list'], config());
  expect(said.length).toBeGreaterThan(30_000);
  expect(said.split('\n').filter((line) => line.includes('long-'))).toHaveLength(200);
});

test.each([
  [['revoke', 'key_none'], /^The API key 'key_none'|key_none/],
  [['create'], /^Add a name for the key, such as ci\.\n\nCreates, lists and revokes API keys/],
  [['destroy'], /^Unknown command 'destroy'/],
  [['list', '--colour'], /Unknown option '--colour'[\s\S]*Creates, lists/],
])('a command that fails there says why here: keys %j', async (words, reason) => {
  expect(await runCommand('keys', words, config())).toEqual({
    done: false,
    said: expect.stringMatching(reason),
  });
});

test('help needs no server', async () => {
  const nowhere = readConfig({ DATA_DIR: join(dataDir, 'nowhere') });
  expect(await runCommand('keys', ['--help'], nowhere)).toMatchObject({
    done: true,
    said: expect.stringContaining('npm run keys'),
  });
});

test('whether the schema is up to date can be asked of the server', async () => {
  expect((await runCommand('migrate', ['--status'], config())).said).toMatch(
    /^\d+ migrations applied, none pending\.$/,
  );
  expect((await runCommand('migrate', [], config())).said).toBe('The schema is up to date.');
});

test('a name that is no command is not run', async () => {
  const reached = await reachHolder(dataDir, { ask: 'command', name: 'shell', words: ['ls'] });
  expect(reached).toBeUndefined();
});

test('a command whose asker has given up does not run', async () => {
  const ask = { ask: 'command', name: 'keys', words: ['create', 'twice'] };
  const reached = await reachHolder(dataDir, ask);
  expect(reached?.answer).toEqual({ state: 'ready' });
  reached?.socket.destroy();
  await host.close(60_000);
  expect((await app.keys.listAll()).map(({ name }) => name)).not.toContain('twice');
  host = await hostGuests({ app, config: config(), registry: PRODUCT, log: silentLog, baseUrl: '' });
  expect((await runCommand('keys', ['create', 'once'], config())).done).toBe(true);
});

test('a server that ends in the middle of a command is told apart from one that is not there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'road-'));
  const dying = await offerFolder({
    dataDir: folder,
    log: silentLog,
    receive(socket) {
      writeLine(socket, { state: 'ready' });
      socket.end('{"done": tr');
    },
  });
  expect(await runCommand('keys', ['list'], readConfig({ DATA_DIR: folder }))).toEqual({
    done: false,
    said: 'The server stopped before it answered. Check whether the change was made, then try again.',
  });
  await dying.close();
  await rm(folder, { recursive: true });
});
