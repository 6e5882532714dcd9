import { afterAll, beforeAll, expect, test } from 'vitest';
import * as uploadRepo from '../../src/assets/upload-repo.ts';
import { newBareCaller, openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('an upload that begins again names all parts that are to be deleted, also the latest', async () => {
  const { sql } = app.database;
  const caller = await newBareCaller(app);
  const file = { path: 'a.png', alt: null, tags: null, bytes: 30, exact: true, sha256: null };
  const upload = { id: 'upl_1', tokenSha256: 'x', ...file, expires_at: new Date(4_000_000_000_000) };
  expect(await uploadRepo.insertUpload(sql, caller, upload, 1)).toBe(true);
  const row = { account_id: caller.accountId, id: 'upl_1' };
  const append = (key: string, offset: number) =>
    sql.begin((tx) => uploadRepo.appendPart(tx, row, { key, offset, bytes: 10 }));
  expect([await append('first', 0), await append('second', 10)]).toEqual([true, true]);
  expect(await uploadRepo.clearParts(sql, row)).toEqual(['first', 'second']);
  expect(await uploadRepo.partsOf(sql, caller.accountId)).toEqual([]);
  expect(await append('again', 0)).toBe(true);
});
