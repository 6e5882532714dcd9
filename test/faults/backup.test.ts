import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmpty, testServer } from '../support/database.ts';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

const COMMAND = fileURLToPath(new URL('../../tools/commands/backup.ts', import.meta.url));
const RESOURCES = 200;
const WRITERS = 3;
/** Milliseconds after which the command is killed. */
const KILLS = [400, 700, 1_000, 1_500, 2_200];

type Engine = 'embedded' | 'postgres';
type Settings = Readonly<Record<string, string>>;
type Place = { readonly dataDir: string; readonly settings: Settings };

const PAIRS: [Engine, Engine][] = testServer
  ? [
      ['embedded', 'postgres'],
      ['postgres', 'embedded'],
      ['postgres', 'postgres'],
      ['embedded', 'embedded'],
    ]
  : [['embedded', 'embedded']];

let folder: Awaited<ReturnType<typeof newFolder>>;
let archive: string;
let places = 0;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await newFolder();
  archive = join(folder.path, 'backup.tar.gz');
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await folder.remove();
});

async function newPlace(engine: Engine): Promise<Place> {
  const dataDir = join(folder.path, `place-${++places}`, 'data');
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    SYNC_DEMO: 'true',
    VIDEO_WORKERS: '1',
    LOG_LEVEL: 'error',
  };
  if (engine === 'embedded') return { dataDir, settings };
  const { url, drop } = await createEmpty(testServer ?? '');
  closing.push(drop);
  return { dataDir, settings: { ...settings, DATABASE_URL: url } };
}

async function start({ dataDir, settings }: Place): Promise<ServerProcess> {
  const server = await startProcess(dataDir, settings);
  closing.push(server.kill);
  return server;
}

/** The command as an operator runs it; killed after so many milliseconds. */
async function backup(verb: string, { settings }: Place, killAfterMs?: number) {
  const child = spawn(process.execPath, [COMMAND, verb, archive], { env: { ...process.env, ...settings } });
  let says = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (says += String(chunk)));
  const exited = once(child, 'exit');
  if (killAfterMs !== undefined) {
    await Promise.race([exited, delay(killAfterMs)]);
    child.kill('SIGKILL');
  }
  await exited;
  return { exitCode: child.exitCode, says };
}

async function done(command: ReturnType<typeof backup>): Promise<string> {
  const { exitCode, says } = await command;
  expect(says).toMatch(/^(\d+ .*\n)*(Saved|Restored) /);
  expect(exitCode).toBe(0);
  return says;
}

async function create(server: ServerProcess, name: string): Promise<boolean> {
  const body = { name, html: `<p>${name} {{name}} ñ</p>`, subject: `Hi {{name}}, ${name}` };
  return (await server.rest('POST', '/v1/templates', { body })).status === 201;
}

const names = Array.from({ length: RESOURCES - 3 }, (_, at) => `mail-${at}`);
const paths = [
  ...names.map((name) => `/v1/templates/${name}?include=html`),
  ...['/sync/stores', '/sync/sheets', '/v1/templates/mail-1/versions'],
];

const readAll = (server: ServerProcess) =>
  Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`${server.url}${path}`);
      return `${response.status} ${await response.text()}`;
    }),
  );

async function fileOf(server: ServerProcess, id: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${server.url}/videos/${id}/file`)).arrayBuffer());
}

async function newVideo(server: ServerProcess, title: string): Promise<string> {
  const body = { title, duration: 1, width: 160, height: 120, fps: 10 };
  return String((await server.rest('POST', '/videos', { body })).body['id']);
}

async function completed(server: ServerProcess, id: string): Promise<void> {
  const status = async () => (await server.rest('GET', `/videos/${id}`)).body['status'];
  await expect.poll(status, { timeout: 120_000, interval: 500 }).toBe('completed');
}

describe.each(PAIRS)('a backup of %s under load, restored on %s', (from, to) => {
  test(`has ${RESOURCES} resources byte for byte, every video plays or is made, and the tokens of a sync open`, async () => {
    const source = await newPlace(from);
    // The embedded database makes its own key.
    if (from === 'postgres')
      Object.assign(source.settings, { ENCRYPTION_KEY: 'kept apart by the operator, 32 long' });
    const server = await start(source);
    for (const name of names) expect(await create(server, name)).toBe(true);
    const store = await server.rest('POST', '/sync/store', {
      body: { domain: 'demo.myshopify.com', store_access_token: 'demo' },
    });
    const sheet = await server.rest('POST', '/sync/sheet', {
      body: { spreadsheet_id: 'demo', name: 'Stock' },
    });
    expect([store.status, sheet.status]).toEqual([201, 201]);
    const made = await newVideo(server, 'made before');
    await completed(server, made);
    const waiting = await Promise.all([1, 2, 3].map((number) => newVideo(server, `waits ${number}`)));

    const acknowledged: string[] = [];
    let isSaving = true;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let at = 0; isSaving; at++) {
        const name = `load-${writer}-${at}`;
        if (await create(server, name)) acknowledged.push(name);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(5);
    const before = [...acknowledged];
    process.stdout.write(await done(backup('save', source)));
    const during = acknowledged.length - before.length;
    isSaving = false;
    await Promise.all(writers);
    const [resources, film] = [await readAll(server), await fileOf(server, made)];
    expect(resources.filter((text) => !text.startsWith('200 '))).toEqual([]);
    await server.kill();

    const target = await newPlace(to);
    const { ENCRYPTION_KEY } = source.settings;
    if (ENCRYPTION_KEY) Object.assign(target.settings, { ENCRYPTION_KEY });
    process.stdout.write(await done(backup('restore', target)));
    const restored = await start(target);
    expect(await readAll(restored)).toEqual(resources);
    for (const name of before) expect((await restored.rest('GET', `/v1/templates/${name}`)).status).toBe(200);
    expect(await fileOf(restored, made)).toEqual(film);
    for (const id of [made, ...waiting]) {
      await completed(restored, id);
      const file = await fileOf(restored, id);
      expect(file.toString('latin1', 4, 8)).toBe('ftyp');
    }
    const pair = { store_id: store.body['id'], sheet_id: sheet.body['id'], direction: 'store_to_sheet' };
    expect((await restored.rest('POST', '/sync/preview', { body: pair })).status).toBe(200);
    process.stdout.write(
      `${from} to ${to}: ${paths.length} resources equal, ${before.length} acknowledged before there, ${during} written during the save\n`,
    );
  });
});

describe.each(testServer ? (['embedded', 'postgres'] as const) : (['embedded'] as const))(
  'kill -9 on %s',
  (engine) => {
    test('during save or restore leaves nothing half, and the next one works', async () => {
      const source = await newPlace(engine);
      const server = await start(source);
      for (const name of names.slice(0, 20)) await create(server, name);
      for (const ms of KILLS) {
        const { exitCode } = await backup('save', source, ms);
        const files = (await readdir(folder.path)).filter((name) => name === 'backup.tar.gz');
        // Done before it was killed, or nothing has the name.
        expect(files).toHaveLength(exitCode === 0 ? 1 : 0);
        expect((await server.rest('GET', '/v1/templates/mail-1')).status).toBe(200);
        if (exitCode === 0) break;
      }
      await done(backup('save', source));
      expect(await readdir(source.dataDir)).not.toContain('.backup-work');

      const target = await newPlace(engine);
      for (const ms of KILLS) {
        const { exitCode } = await backup('restore', target, ms);
        if (exitCode === 0) return;
        expect(await holdsAnything(target)).toBe(false);
      }
      await done(backup('restore', target));
      const restored = await start(target);
      expect((await restored.rest('GET', '/v1/templates/mail-19')).status).toBe(200);
    });
  },
);

async function holdsAnything({ dataDir, settings }: Place): Promise<boolean> {
  const url = settings['DATABASE_URL'];
  if (!url) return (await readdir(dataDir).catch((): string[] => [])).includes('database');
  const sql = postgres(url, { max: 1 });
  try {
    // The server notices that its client is gone.
    const tables = async () => (await sql`select from pg_tables where schemaname = 'public'`).length;
    return (await tables()) > 0;
  } finally {
    await sql.end();
  }
}
