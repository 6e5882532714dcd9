import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { NEW_DATABASE } from '../../../../src/platform/database/embedded/new-database/unpack.ts';

test('the new database that is shipped was made by the PGlite that opens it', async () => {
  const manifest = await readFile(new URL('../../../../package.json', import.meta.url), 'utf8');
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(manifest));
  expect(basename(NEW_DATABASE)).toBe(`pglite-${dependencies['@electric-sql/pglite']}.tar.br`);
});
