import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testsOfTheServer } from './postgres-tests.ts';

const isOfTheServer = (files: Record<string, string>) =>
  testsOfTheServer(['test/a.test.ts'], (file) => files[file]).length === 1;

describe('a test file runs on PostgreSQL too', () => {
  test.each([
    ['reads the setting', "const server = process.env['DATABASE_URL'];"],
    ['hands the whole environment on', 'const env = { ...process.env, PORT: 0 };'],
    ['reads the configuration of its process', 'const { databaseUrl } = readConfig();'],
    ['starts a program', "import { spawn } from 'node:child_process';"],
  ])('if it %s', (_what, text) => {
    expect(isOfTheServer({ 'test/a.test.ts': text })).toBe(true);
  });

  test.each([
    ['import', "import { open } from './support/database.ts';"],
    ['export', "export { open } from './support/database.ts';"],
    ['dynamic import', "const { open } = await import('./support/database.ts');"],
  ])('if a file that it loads with an %s does', (_what, text) => {
    const files = { 'test/between.ts': text, 'test/support/database.ts': 'const url = env.DATABASE_URL;' };
    expect(isOfTheServer({ ...files, 'test/a.test.ts': "import './between.ts';" })).toBe(true);
  });

  test('if the product that it loads reads the whole environment', () => {
    const product = { 'src/start.ts': 'export const config = readConfig();' };
    expect(isOfTheServer({ ...product, 'test/a.test.ts': "import '../src/start.ts';" })).toBe(true);
  });
});

describe('a test file runs on the embedded database alone', () => {
  test.each([
    ['reads another setting', "const write = process.env['GOLDEN'] === 'write';"],
    ['hands over a configuration', 'const config = readConfig({ PORT: 0 });'],
    ['takes only types of files that see the server', "import type { Url } from './support/database.ts';"],
  ])('if it %s', (_what, text) => {
    const files = { 'test/support/database.ts': 'const url = env.DATABASE_URL;' };
    expect(isOfTheServer({ ...files, 'test/a.test.ts': text })).toBe(false);
  });
});

test('every file of tests that names a way to the database is among them', () => {
  const files = globSync('test/**/*.test.ts');
  const opens =
    /\b(open\w*Database|open\w*App|openMigrated|openEmbedded|startPglite|createApp|copyEmbedded|postgres\()/;
  // This file names them too, and opens nothing.
  const open = files.filter(
    (file) => opens.test(readFileSync(file, 'utf8')) && !file.endsWith('postgres-tests.test.ts'),
  );
  const chosen = new Set(testsOfTheServer(open));
  expect(open.filter((file) => !chosen.has(file))).toEqual([]);
});
