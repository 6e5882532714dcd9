import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { secretBoxKey } from '../../src/platform/secret-box-key.ts';

const PLACE = { table: 'sync_stores', row: 'sto_1', column: 'credentials' };
const KEY = 'the-secret-of-this-server-kept-by-its-operator';

const boxOf = (key: string | Buffer) => createSecretBox({ key: async () => Buffer.from(key) });

describe('the box', () => {
  test('gives back whatever was sealed, and seals the same in another way each time', async () => {
    const box = boxOf(KEY);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (secret) => {
        const [one, two] = [await box.seal(secret, PLACE), await box.seal(secret, PLACE)];
        expect(one).not.toBe(two);
        expect(await box.open(one, PLACE)).toBe(secret);
        expect(await box.open(two, PLACE)).toBe(secret);
      }),
      { numRuns: 50 },
    );
  });

  test('says nothing of what it holds but its length', async () => {
    const sealed = await boxOf(KEY).seal('shpat_0123456789', PLACE);
    const bytes = Buffer.from(sealed, 'base64url');
    expect(bytes.toString('latin1')).not.toContain('shpat');
    expect(bytes.length).toBe(33 + 'shpat_0123456789'.length);
  });

  test.each([
    ['row', { ...PLACE, row: 'sto_2' }],
    ['column', { ...PLACE, column: 'webhook_secret' }],
    ['table', { ...PLACE, table: 'sync_sheets' }],
  ])('does not open in another %s', async (_what, place) => {
    const box = boxOf(KEY);
    const sealed = await box.seal('shpat_0123456789', PLACE);
    await expect(box.open(sealed, place)).rejects.toThrow(
      `${place.table}.${place.column} of ${place.row} was not sealed there, or was changed since`,
    );
  });

  test('does not open when any of its bytes was changed, or when it was cut or lengthened', async () => {
    const box = boxOf(KEY);
    const sealed = Buffer.from(await box.seal('a secret', PLACE), 'base64url');
    const open = (bytes: Buffer) => box.open(bytes.toString('base64url'), PLACE);
    expect(await open(sealed)).toBe('a secret');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(sealed.readUInt8(at) ^ 1, at);
      await expect(open(changed), `byte ${at}`).rejects.toThrow();
    }
    for (let length = 0; length < sealed.length; length += 1)
      await expect(open(sealed.subarray(0, length)), `${length} bytes`).rejects.toThrow();
    await expect(open(Buffer.concat([sealed, Buffer.of(0)]))).rejects.toThrow();
  });

  test('of another key says so: the secrets have to be entered again', async () => {
    const sealed = await boxOf(KEY).seal('a secret', PLACE);
    await expect(boxOf(`${KEY}!`).open(sealed, PLACE)).rejects.toMatchObject({
      key: 'not_configured.encryption_changed',
      status: 503,
    });
  });

  test('never tells a secret in what it throws', async () => {
    const box = boxOf(KEY);
    const sealed = await box.seal('shpat_0123456789', PLACE);
    const error = await box.open(sealed, { ...PLACE, row: 'sto_2' }).catch((thrown: unknown) => thrown);
    expect(String(error) + JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('shpat');
  });
});

describe('its key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stallhand-key-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const embedded = () =>
    secretBoxKey({ encryptionKey: undefined, engine: 'embedded', dataDir: join(folder, 'data') });

  test('is the operator’s where there is one, whatever the database', async () => {
    for (const engine of ['embedded', 'postgres'] as const) {
      const key = secretBoxKey({ encryptionKey: KEY, engine, dataDir: join(folder, 'data') });
      expect((await key()).toString()).toBe(KEY);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('on PostgreSQL has to be the operator’s', async () => {
    const key = secretBoxKey({ encryptionKey: undefined, engine: 'postgres', dataDir: folder });
    await expect(key()).rejects.toMatchObject({ key: 'not_configured.encryption' });
  });

  test('on PostgreSQL is the one that a backup brought, and none is made', async () => {
    const key = Buffer.alloc(32, 7);
    await writeFile(join(folder, 'data.key'), key.toString('base64'));
    const parts = { encryptionKey: undefined, engine: 'postgres', dataDir: join(folder, 'data') } as const;
    expect(await secretBoxKey(parts)()).toEqual(key);
    expect(await readdir(folder)).toEqual(['data.key']);
  });

  test('is else made on first use, in a file beside the data folder that only the server may read', async () => {
    const key = embedded();
    expect(await readdir(folder)).toEqual([]);
    const made = await key();
    expect(made).toHaveLength(32);
    expect(await readdir(folder)).toEqual(['data.key']);
    const file = join(folder, 'data.key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(await readFile(file, 'utf8'), 'base64')).toEqual(made);
  });

  test('is one, however many processes make it at the same time, and nothing is left lying about', async () => {
    const keys = await Promise.all(
      Array.from({ length: 40 }, async (_, turns) => {
        // Each at another step of the way.
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        return embedded()();
      }),
    );
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(await readdir(folder)).toEqual(['data.key']);
  });

  test('is never overwritten: a file that holds none is the operator’s to look at', async () => {
    await writeFile(join(folder, 'data.key'), 'half a k');
    await expect(embedded()()).rejects.toMatchObject({ key: 'not_configured.encryption' });
    expect(await readFile(join(folder, 'data.key'), 'utf8')).toBe('half a k');
  });

  test('is read again after it could not be read', async () => {
    const file = join(folder, 'data.key');
    const key = embedded();
    await writeFile(file, 'half a k');
    await expect(key()).rejects.toMatchObject({ key: 'not_configured.encryption' });
    const whole = randomBytes(32);
    await writeFile(file, whole.toString('base64'));
    await chmod(file, 0o600);
    expect(await key()).toEqual(whole);
  });

  test('when its file is lost is another, and what it sealed has to be entered again', async () => {
    const sealed = await createSecretBox({ key: embedded() }).seal('a secret', PLACE);
    await rm(join(folder, 'data.key'));
    const later = createSecretBox({ key: embedded() });
    await expect(later.open(sealed, PLACE)).rejects.toMatchObject({
      key: 'not_configured.encryption_changed',
    });
    expect(await later.open(await later.seal('entered again', PLACE), PLACE)).toBe('entered again');
  });
});
