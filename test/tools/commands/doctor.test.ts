import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { migrate } from '../../../src/platform/database/migrations.ts';
import { createSecretBox } from '../../../src/platform/secret-box.ts';
import { checkDatabase } from '../../../tools/commands/doctor/check-database.ts';
import {
  checkBrowser,
  checkFfmpeg,
  checkFiles,
  checkFolder,
  checkMail,
  checkPort,
} from '../../../tools/commands/doctor/check-machine.ts';
import { checkSettings } from '../../../tools/commands/doctor/check-settings.ts';
import { examine, report } from '../../../tools/commands/doctor/doctor.ts';
import type { Finding } from '../../../tools/commands/doctor/finding.ts';
import { openS3Server } from '../../support/s3-server.ts';
import { openServedApp } from '../../support/served-app.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const KEY = 'the-secret-of-this-server-kept-by-its-operator';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-doctor-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** State and text of a finding. */
const told = ({ state, found, advice = '' }: Finding) => [state, `${found} ${advice}`];
const says = (state: Finding['state'], text: RegExp) => [state, expect.stringMatching(text)];

describe('settings', () => {
  const check = (env: Record<string, string>) => told(checkSettings(env).finding);

  test('that are valid are counted', () => {
    expect(check({ PORT: '8081', HOME: '/root' })).toEqual(says('ok', /^1 of \d+ are set/));
  });
  test('that are not valid are named, each of them', () => {
    expect(check({ PORT: 'abc', SYNC_DEMO: 'maybe' })).toEqual(
      says('broken', /PORT: .*\n.*SYNC_DEMO: .*docs\/settings\.md/),
    );
  });
  test('whose file of a secret cannot be read are named', () => {
    expect(check({ ENCRYPTION_KEY_FILE: '/nowhere/key' })).toEqual(
      says('broken', /ENCRYPTION_KEY_FILE: cannot read/),
    );
  });
  test('that are misspelled are named with what they were meant to be', () => {
    expect(check({ DATABSE_URL: 'postgres://x' })).toEqual(
      says('hint', /DATABSE_URL is not a setting\. Did you mean DATABASE_URL\?/),
    );
  });
});

describe('the database', () => {
  let dataDir: string;
  const env = (more: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...more });
  /** What is told of a check, after a change to the database. */
  async function afterChange(
    check: string,
    change: (sql: Database['sql']) => Promise<unknown>,
    config = env(),
  ) {
    const database = await openDatabase({ url: undefined, dataDir });
    await change(database.sql);
    await database.close();
    return of(await checkDatabase(config), check);
  }
  const of = (findings: readonly Finding[], check: string) => {
    const found = findings.find((one) => one.check === check);
    return found && told(found);
  };
  const unchanged = async () => {};

  beforeAll(async () => {
    dataDir = join(folder, 'data');
    const database = await openDatabase({ url: undefined, dataDir });
    await migrate(database.sql);
    await database.close();
  });

  test('is well, with its schema, its clock and its secrets', async () => {
    const findings = await checkDatabase(env());
    expect(findings.map(({ check, state }) => [check, state])).toEqual([
      ['database', 'ok'],
      ['schema', 'ok'],
      ['clock', 'ok'],
      ['secrets', 'ok'],
    ]);
  });

  test('is not made by looking for it', async () => {
    const nowhere = readConfig({ DATA_DIR: join(folder, 'none') });
    expect((await checkDatabase(nowhere)).map(({ state }) => state)).toEqual([
      'ok',
      'skipped',
      'skipped',
      'skipped',
    ]);
    expect((await checkDatabase(nowhere)).map(({ state }) => state)).toEqual([
      'ok',
      'skipped',
      'skipped',
      'skipped',
    ]);
  });

  test('that does not answer is broken, and what needs it is skipped', async () => {
    const findings = await checkDatabase(env({ DATABASE_URL: 'postgres://root@127.0.0.1:1/none' }));
    expect(findings.map(({ state }) => state)).toEqual(['broken', 'skipped', 'skipped', 'skipped']);
    expect(of(findings, 'database')).toEqual(says('broken', /ECONNREFUSED.*user and password/s));
  });

  test('that a running server has open is told as such', async () => {
    const running = await openDatabase({ url: undefined, dataDir });
    const findings = await checkDatabase(env());
    await running.close();
    expect(of(findings, 'database')).toEqual(says('ok', /in use by process \d+/));
    expect(of(findings, 'clock')).toEqual(says('skipped', /running server has the database open/));
  });

  test('that is damaged is broken, and where its folder is told', async () => {
    const damaged = join(folder, 'damaged');
    await mkdir(join(damaged, 'database'), { recursive: true });
    await writeFile(join(damaged, 'database', 'PG_VERSION'), 'damaged');
    const findings = await checkDatabase(readConfig({ DATA_DIR: damaged }));
    expect(of(findings, 'database')).toEqual(says('broken', /Make .*damaged writable .*backup/s));
  });

  test('with a schema that is behind is broken only where the start does not migrate it', async () => {
    const forget = (sql: Database['sql']) =>
      sql`delete from schema_migrations where version = (select max(version) from schema_migrations)`;
    expect(await afterChange('schema', forget)).toEqual(says('ok', /next start brings it up to date/));
    const manual = env({ MIGRATE_ON_START: 'false' });
    expect(await afterChange('schema', unchanged, manual)).toEqual(says('broken', /Run npm run migrate/));
  });

  test('with a schema of another release is broken', async () => {
    const alter = (sql: Database['sql']) =>
      sql`update schema_migrations set sha256 = 'other' where version = 1`;
    expect(await afterChange('schema', alter)).toEqual(
      says('broken', /0001_identity\.sql.*Start the release/s),
    );
  });

  test('with another clock is broken, and says by how much', async () => {
    const days = 2 * 86_400_000;
    const ahead = await checkDatabase(env(), () => Date.now() + days);
    expect(of(ahead, 'clock')).toEqual(says('broken', /17[23]\d\d\d seconds ahead of the database's.*NTP/));
    const behind = await checkDatabase(env(), () => Date.now() - days);
    expect(of(behind, 'clock')).toEqual(says('broken', /17[23]\d\d\d seconds behind/));
  });

  test('whose secrets another key sealed, or whose key is gone or damaged, is broken', async () => {
    const box = createSecretBox({ key: async () => Buffer.from(KEY) });
    const place = { table: 'sync_stores', row: 'store_1', column: 'credentials' };
    const credentials = await box.seal('{"token":"x"}', place);
    const seal = async (sql: Database['sql']) => {
      await sql`insert into accounts (id, name) values ('acc_1', 'shop')`;
      await sql`
        insert into sync_stores (id, account_id, domain, credentials, token_hint, name, currency)
        values ('store_1', 'acc_1', 'shop.example', ${credentials}, 'x', 'Shop', 'USD')`;
    };
    const right = env({ ENCRYPTION_KEY: KEY });
    expect(await afterChange('secrets', seal, right)).toEqual(says('ok', /decrypts the stored credentials/));
    const other = env({ ENCRYPTION_KEY: KEY.toUpperCase() });
    expect(await afterChange('secrets', unchanged, other)).toEqual(says('broken', /Set the key/));
    expect(await afterChange('secrets', unchanged)).toEqual(says('broken', /data\.key is missing.*backup/));
    await writeFile(`${dataDir}.key`, 'damaged');
    expect(await afterChange('secrets', unchanged)).toEqual(says('broken', /holds no key of 32 bytes/));
  });
});

describe('the machine', () => {
  test('has a folder for files, which can be written and has room', async () => {
    const config = readConfig({ DATA_DIR: join(folder, 'machine') });
    expect(told(await checkFolder(config, 1))).toEqual(says('ok', /can be written, [\d.]+ GiB free/));
    expect(told(await checkFolder(config, Number.POSITIVE_INFINITY))).toEqual(
      says('hint', /with only .*Free some space/),
    );
    await writeFile(join(folder, 'file'), '');
    const inFile = readConfig({ BLOBS_DIR: join(folder, 'file', 'blobs') });
    expect(told(await checkFolder(inFile))).toEqual(says('broken', /cannot be written: ENOTDIR/));
  });

  test('has a bucket for files, which can be written, read in parts and cleared', async () => {
    const s3 = await openS3Server();
    expect(told(await checkFiles(readConfig(s3.env)))).toEqual(says('ok', /^s3:\/\/files\/ can be written/));
    expect(told(await checkFiles(readConfig({ ...s3.env, S3_BUCKET: 'nowhere' })))).toEqual(
      says('broken', /NoSuchBucket|does not exist.*Check S3_BUCKET/s),
    );
    await s3.close();
    expect(told(await checkFiles(readConfig(s3.env)))).toEqual(says('broken', /cannot be used/));
  });

  test('has a browser that starts', async () => {
    const config = readConfig({});
    // Without its sandbox where the tests run as root.
    expect(told(await checkBrowser(config))).toEqual(
      says(expect.stringMatching(/ok|hint/), /\d+\.\d+.* starts \(/),
    );
    const none = { installed: [], unpack: async () => undefined };
    expect(told(await checkBrowser(config, none))).toEqual(says('broken', /install one/));
    const wrong = readConfig({ PUPPETEER_EXECUTABLE_PATH: '/nowhere/chrome' });
    expect(told(await checkBrowser(wrong))).toEqual(says('hint', /names no browser.*unset it/));
  });

  test('has no ffmpeg, which costs GIFs', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    expect(told(await checkFfmpeg(empty))).toEqual(says('hint', /GIFs are rejected.*Install ffmpeg/));
  });

  test('sends mail by a server that lets it in', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'shop' }) : done(new Error('wrong password')),
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    const { port } = server.server.address() as AddressInfo;
    const check = async (userinfo: string, at = port) =>
      told(
        await checkMail(
          readConfig({ SMTP_URL: `smtp://${userinfo}@127.0.0.1:${at}`, MAIL_FROM: 'a@b.example' }),
        ),
      );
    expect(await check('shop:right')).toEqual(says('ok', /signed in to/));
    expect(await check('shop:wrong')).toEqual(says('broken', /wrong password.*user and password/));
    expect(await check('shop:right', 1)).toEqual(says('broken', /ECONNREFUSED/));
    await new Promise<void>((closed) => server.close(closed));
    expect(told(await checkMail(readConfig({})))).toEqual(says('hint', /written to the log/));
    expect(told(await checkMail(readConfig({ HOST: '0.0.0.0' })))).toEqual(
      says('hint', /codes are disabled.*SMTP_URL/),
    );
  });

  test('has the port free, or our server on it', async () => {
    const check = async (env: Record<string, string>) => told(await checkPort(readConfig(env)));
    expect(await check({ PORT: '0' })).toEqual(says('ok', /is free/));
    const other = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await check({ PORT: String(port) })).toEqual(says('broken', /Another program uses port/));
    other.close();
    expect(await check({ HOST: '192.0.2.1' })).toEqual(says('broken', /not an address of this machine/));
    const app = await openServedApp();
    expect(await check({ PORT: new URL(app.url).port })).toEqual(says('ok', /Stallhand 1\.2\.3 runs on/));
    await app.close();
  });
});

describe('the command', () => {
  const findings: Finding[] = [
    { check: 'port', state: 'ok', found: '8080 is free' },
    { check: 'mail', state: 'broken', found: 'One.\nTwo.', advice: 'Do it.' },
  ];

  test('does not wait for a check that does not end', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const found = await examine(
      {
        ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'shop@example.com' },
        ...{ DATA_DIR: join(folder, 'hangs'), PORT: '0' },
      },
      500,
    );
    const [mail] = found.filter(({ check }) => check === 'mail').map(told);
    expect(mail).toEqual(says('broken', /^No answer within 0\.5 s\. Find the process/));
    silent.close();
  });

  test('says what it found and what to do, or the same as JSON', () => {
    expect(report(findings, { json: false })).toBe(
      [
        'ok       port      8080 is free',
        'broken   mail      One.',
        '                   Two.',
        '                   Do it.',
        '',
        'Something must be fixed.',
      ].join('\n'),
    );
    expect(JSON.parse(report(findings, { json: true }))).toEqual({ healthy: false, findings });
  });

  test.each([
    ['npm run doctor', 'tools/commands/doctor.ts', []],
    ['stallhand doctor', 'bin/stallhand.cjs', ['doctor']],
  ])('%s exits with 1 if something is broken, and with 0 if not', async (_name, file, words) => {
    const doctor = async (env: Record<string, string>) => {
      const args = ['--disable-warning=ExperimentalWarning', join(ROOT, file), ...words, '--json'];
      const { PATH = '', HOME = '' } = process.env;
      const run = spawn(process.execPath, args, { env: { PATH, HOME, ...env }, cwd: folder });
      const [answer, [status]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
      return { status, answer: JSON.parse(answer) };
    };
    expect(await doctor({ PORT: 'abc' })).toMatchObject({ status: 1, answer: { healthy: false } });
    const well = await doctor({ DATA_DIR: join(folder, 'new'), PORT: '0' });
    expect(well).toMatchObject({ status: 0, answer: { healthy: true } });
    expect(well.answer.findings.map(({ check }: Finding) => check)).toEqual([
      'settings',
      'database',
      'schema',
      'clock',
      'secrets',
      'folder',
      'browser',
      'ffmpeg',
      'mail',
      'port',
    ]);
  });
});
