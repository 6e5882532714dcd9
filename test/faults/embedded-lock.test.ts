import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { copyEmbedded } from '../support/database.ts';
import { kill } from '../support/processes.ts';
import { startChild } from './children.ts';

const EXAMPLE = fileURLToPath(new URL('../platform/database/example-migrations/', import.meta.url));
const linux = process.platform === 'linux';

let place: Awaited<ReturnType<typeof copyEmbedded>>;
beforeEach(async () => {
  place = await copyEmbedded(EXAMPLE);
});
afterEach(() => place.drop());

const refusal = (pid: number) => ({
  key: 'unavailable.database_locked',
  params: { pid, folder: join(place.dataDir, 'database') },
});

test('a second process is refused, told the number of the first, and the first goes on unharmed', async () => {
  const writer = startChild('writer', place.dataDir, '1');
  await writer.line((line) => line === 'note 100');
  for (let round = 0; round < 20; round++) {
    await expect(openDatabase({ url: undefined, dataDir: place.dataDir })).rejects.toMatchObject(
      refusal(writer.pid),
    );
  }
  const second = startChild('opener', place.dataDir);
  const { key, params } = refusal(writer.pid);
  expect(await second.line(() => true)).toBe(`${key} ${JSON.stringify(params)}`);
  expect(await second.stop()).toBe(0);

  const before = writer.lines.length;
  await writer.line((line) => writer.lines.indexOf(line) > before + 100);
  expect(await writer.stop()).toBe(0);
  const database = await openDatabase({ url: undefined, dataDir: place.dataDir });
  const there = new Set(
    (await database.sql<{ id: number }[]>`select id from notes`).map(({ id }) => `note ${id}`),
  );
  await database.close();
  const gone = new Set(writer.lines.filter((line) => line.startsWith('gone')).map((line) => line.slice(5)));
  const lost = writer.lines.filter(
    (line) => line.startsWith('note') && !there.has(line) && !gone.has(line.slice(5)),
  );
  expect(lost).toEqual([]);
});

test('of two processes that start at once one gets the database, ten times of ten', async () => {
  for (let round = 0; round < 10; round++) {
    const pair = [startChild('opener', place.dataDir), startChild('opener', place.dataDir)];
    const said = await Promise.all(pair.map((child) => child.line(() => true)));
    const winner = pair[said.indexOf('open')];
    const { key, params } = refusal(winner?.pid ?? 0);
    expect(said.toSorted()).toEqual(['open', `${key} ${JSON.stringify(params)}`]);
    expect(await Promise.all(pair.map((child) => child.stop()))).toEqual([0, 0]);
  }
});

test.runIf(linux)(
  'a killed process that its parent has not asked about does not keep the database',
  async () => {
    const program = fileURLToPath(new URL('./children/opener.ts', import.meta.url));
    // The shell becomes `sleep`, which asks about no child. Its stdin is the child's, which so stays open.
    const script = '"$0" "$1" "$2" <&3 & exec 3<&-; echo $!; exec sleep 600';
    const shell = spawn('sh', ['-c', script, process.execPath, program, place.dataDir], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    let said = '';
    shell.stdout?.on('data', (bytes) => {
      said += bytes;
    });
    while (!said.includes('open\n')) await new Promise((resolve) => shell.stdout?.once('data', resolve));
    const pid = Number(said.match(/^\d+$/m)?.[0]);
    await expect(openDatabase({ url: undefined, dataDir: place.dataDir })).rejects.toMatchObject(
      refusal(pid),
    );

    process.kill(pid, 'SIGKILL');
    while (!/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'latin1'))) await new Promise(setImmediate);
    const database = await openDatabase({ url: undefined, dataDir: place.dataDir });
    expect(/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'latin1'))).toBe(true);
    await database.close();
    await kill(shell);
  },
);

test('a lock whose number belongs to another process by now does not keep the database', async () => {
  const first = await openDatabase({ url: undefined, dataDir: place.dataDir });
  await first.close();
  const [name = ''] = (await readdir(place.dataDir)).filter((one) => one.includes('.lock.'));
  const note = JSON.parse(await readFile(join(place.dataDir, name), 'utf8'));
  await writeFile(join(place.dataDir, name), JSON.stringify({ ...note, held: true, pid: process.ppid }));
  const second = await openDatabase({ url: undefined, dataDir: place.dataDir });
  expect(await second.sql`select 1 as one`).toEqual([{ one: 1 }]);
  await second.close();
});
