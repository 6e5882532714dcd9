import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

// During an update, nodes of two releases work on one schema: see docs/migrations.md.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Nothing is released yet: a commit that served, before the newest migration. With the first release, its tag. */
const BEFORE = '6a46a56d3afbefd40d33abafb4d4310115ecb032';
/** The number of the newest migration. */
const newest = Number.parseInt(readdirSync(join(ROOT, 'migrations')).toSorted().at(-1) ?? '', 10);
const isHere = hasCommit(BEFORE);
if (testServer && !isHere) {
  console.warn(`SKIPPED: this clone does not have ${BEFORE}, so the release before cannot be started.`);
}

describe.runIf(testServer && isHere)('the release before, on the schema of this one', () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let old: ServerProcess;
  let next: ServerProcess;

  beforeAll(async () => {
    folder = await newFolder();
    database = await emptyDatabase(folder.path);
    const checkout = checkOut(BEFORE, join(folder.path, 'before'));
    const settings = settingsOf(database, folder.path);
    old = await startProcess(join(folder.path, 'old'), settings, checkout);
    expect(await applied()).not.toContain(newest);
    // Migrates under the feet of the other.
    next = await startProcess(join(folder.path, 'next'), settings);
    expect(await applied()).toContain(newest);
  });
  afterAll(async () => {
    await Promise.all([old?.kill(), next?.kill()]);
    await database.close();
    await folder.remove();
  });

  const applied = async () =>
    (await database.sql<{ version: number }[]>`select version from schema_migrations`).map(
      ({ version }) => version,
    );

  test('is ready, and so is this one', async () => {
    const readiness = () =>
      Promise.all([old, next].map(async ({ url }) => (await fetch(`${url}/ready`)).status));
    await expect.poll(readiness).toEqual([200, 200]);
  });

  test('reads and renders what this one writes, and the reverse', async () => {
    const of = (name: string) => `/v1/templates/${name}`;
    for (const [writer, reader, name] of [
      [old, next, 'by the release before'],
      [next, old, 'by this release'],
    ] as const) {
      const html = '<p>Hello {{name}}</p>';
      expect((await writer.rest('POST', '/v1/templates', { body: { name, html } })).status).toBe(201);
      const changed = { html: `${html}<p>Bye</p>`, message: 'Say goodbye' };
      expect((await reader.rest('PATCH', of(name), { body: changed })).status).toBe(200);
      const promoted = { to: 'staging' };
      expect((await writer.rest('POST', `${of(name)}/promote`, { body: promoted })).status).toBe(200);
      const body = { template: name, environment: 'staging', data: { name: 'Ana' } };
      const mails = await Promise.all([old, next].map(({ rest }) => rest('POST', '/v1/render', { body })));
      expect(mails.map((mail) => mail.body['html'])).toEqual(
        Array.from({ length: 2 }, () => expect.stringContaining('Hello Ana</p><p>Bye')),
      );
      const [one, other] = await Promise.all([old, next].map(({ rest }) => rest('GET', of(name))));
      expect(one?.body['versions']).toEqual(other?.body['versions']);
    }
  });

  test('makes videos that were asked of either, each whole', async () => {
    const ask = ({ rest }: ServerProcess, n: number) =>
      rest('POST', '/videos', {
        body: { title: `Video ${n}`, duration: 1, width: 160, height: 160, quality: 'draft' },
      });
    const asked = await Promise.all([old, next, old, next].map(ask));
    for (const { body } of asked) {
      const files = await Promise.all(
        [old, next].map(async ({ url }) => {
          const events = await (await fetch(`${url}/videos/${body['id']}/events`)).text();
          expect(events).toContain('event: completed');
          return Buffer.from(await (await fetch(`${url}/videos/${body['id']}/file`)).arrayBuffer());
        }),
      );
      expect(files[0]?.subarray(4, 8).toString()).toBe('ftyp');
      expect(files[0]?.equals(files[1] ?? Buffer.of())).toBe(true);
    }
  });

  test('writes hooks, and runs a sync that this one has set up', async () => {
    const hooks = await old.rest('POST', '/api/v1/generate', {
      body: { topic: 'glazing a mug', provider: 'builtin', count: 3, language: 'en' },
    });
    expect([hooks.status, (await next.rest('GET', '/api/v1/history')).body['items']]).toEqual([
      200,
      [expect.objectContaining({ topic: 'glazing a mug' })],
    ]);
    const { body: demo } = await next.rest('POST', '/sync/demo');
    const { store, sheet } = Demo.parse(demo);
    const pair = { store_id: store.id, sheet_id: sheet.id, direction: 'store_to_sheet' };
    const first = await old.rest('POST', '/sync/run', { body: pair });
    expect([first.status, first.body['status']]).toEqual([200, 'succeeded']);
  });
});

describe.runIf(testServer)('a node of this release, beside one of a later release that has migrated', () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let later: string;
  const running: ServerProcess[] = [];

  const start = async (name: string, checkout?: string) => {
    const started = await startProcess(join(folder.path, name), settingsOf(database, folder.path), checkout);
    running.push(started);
    return started;
  };

  beforeEach(async () => {
    folder = await newFolder();
    database = await emptyDatabase(folder.path);
    later = checkOut('HEAD', join(folder.path, 'later'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.kill()));
    await database.close();
    await folder.remove();
  });

  const migrateLater = (text: string) =>
    writeFile(join(later, 'migrations', `${String(newest + 1).padStart(4, '0')}_later.sql`), text);

  test('is started again on a schema with columns and tables that it does not know, and no call fails', async () => {
    await migrateLater('alter table templates add column later text; create table laters (id text)');
    const own = await start('own');
    await start('next', later);
    await own.kill();
    const again = await start('own');
    const answers = await Promise.all(
      running.slice(1).flatMap(({ rest }, node) =>
        Array.from({ length: 50 }, async (_, nth) => {
          const name = `template ${node} ${nth}`;
          const { status } = await rest('POST', '/v1/templates', { body: { name, html: '<p>{{a}}' } });
          const render = await rest('POST', '/v1/render', { body: { template: name, data: { a: 'Ana' } } });
          return [status, render.status, render.body['html']];
        }),
      ),
    );
    expect(new Set(answers.map(String))).toEqual(new Set(['201,200,<p>Ana']));
    expect((await fetch(`${again.url}/ready`)).status).toBe(200);
  });

  test('is not started again once a migration needs a newer program, and says so', async () => {
    await migrateLater(`-- min_program: ${newest + 1}\nalter table templates drop column description`);
    const own = await start('own');
    await start('next', later);
    await own.kill();
    await expect(start('own')).rejects.toThrow(`migration ${newest + 1}, which this release does not know`);
  });
});

async function emptyDatabase(folder: string): Promise<TestDatabase> {
  const none = join(folder, 'no-migrations');
  await mkdir(none);
  return openTestDatabase({ migrations: none });
}

/** A checkout of its own, with the packages of this one. @returns its folder */
function checkOut(commit: string, into: string): string {
  execFileSync('git', ['clone', '--quiet', '--shared', ROOT, into]);
  execFileSync('git', ['-C', into, 'checkout', '--quiet', '--detach', commit]);
  symlinkSync(join(ROOT, 'node_modules'), join(into, 'node_modules'));
  return into;
}

function settingsOf(database: TestDatabase, folder: string) {
  return {
    DATABASE_URL: database.url ?? '',
    BLOBS_DIR: join(folder, 'files'),
    ENCRYPTION_KEY: 'the-secret-that-nodes-of-both-releases-have',
    SYNC_DEMO: 'true',
  };
}

const Identified = z.object({ id: z.string() });
const Demo = z.object({ store: Identified, sheet: Identified });

function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['-C', ROOT, 'cat-file', '-e', commit], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
