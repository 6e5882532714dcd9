import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyEmbedded } from '../../../support/database.ts';
import { openTestEmbedded, type TestEmbedded } from '../../../support/embedded.ts';

const SLOW = 'select count(*)::int as rows from generate_series(1, 1000000)';
const DATABASE = fileURLToPath(new URL('../../../../src/platform/database/database.ts', import.meta.url));
const run = promisify(execFile);

let database: TestEmbedded;
beforeAll(async () => {
  database = await openTestEmbedded();
});
afterAll(() => database.close());

test('the event loop goes on while a statement runs', async () => {
  let turns = 0;
  let isDone = false;
  const counted = (async () => {
    for (; !isDone; turns++) await new Promise(setImmediate);
  })();
  expect(await database.sql.unsafe(SLOW)).toEqual([{ rows: 1_000_000 }]);
  isDone = true;
  await counted;
  expect(turns).toBeGreaterThan(100);
});

test.each([
  ['an open database keeps no process alive', '', ''],
  ['a statement does until it is answered', "await sql.unsafe(slow); console.log('answered')", 'answered\n'],
  [
    'a process may exit while a statement runs',
    'sql.unsafe(slow).execute(); setTimeout(process.exit, 50)',
    '',
  ],
])('%s', async (_case, script, said) => {
  const place = await copyEmbedded();
  const program = `
    import { openDatabase } from ${JSON.stringify(DATABASE)};
    const { sql } = await openDatabase({ url: undefined, dataDir: ${JSON.stringify(place.dataDir)} });
    const slow = ${JSON.stringify(SLOW)};
    ${script}`;
  expect(await run(process.execPath, ['--input-type=module', '--eval', program])).toEqual({
    stdout: said,
    stderr: '',
  });
  await place.drop();
});
