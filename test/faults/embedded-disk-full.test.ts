import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { databaseFault } from '../../src/platform/database/database-fault.ts';
import { copyEmbedded } from '../support/database.ts';

const EXAMPLE = fileURLToPath(new URL('../platform/database/example-migrations/', import.meta.url));

let disk: string;
let mounted = false;
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'stallhand-disk-'));
  mounted = mount('-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', disk);
});
afterAll(async () => {
  if (mounted) execFileSync('umount', ['-l', disk]);
  await rm(disk, { recursive: true });
});

test('a full disk fails writes as unavailable, loses none that was acknowledged, and is forgotten when there is room', async ({
  skip,
}) => {
  skip(!mounted, 'only where a small disk can be made, as by root on Linux');
  const place = await copyEmbedded(EXAMPLE);
  await cp(join(place.dataDir, 'database'), join(disk, 'database'), { recursive: true });
  await place.drop();
  const database = await openDatabase({ url: undefined, dataDir: disk });
  const { sql } = database;

  const noise = () => Array.from({ length: 3000 }, () => Math.random().toString(36)).join('');
  const acknowledged: number[] = [];
  const faults = new Set<string | undefined>();
  for (let id = 1; faults.size === 0 || acknowledged.length + 20 > id; id++) {
    try {
      await sql`insert into notes values (${id}, ${noise()})`;
      acknowledged.push(id);
    } catch (error) {
      faults.add(databaseFault(error)?.key);
    }
  }
  expect([...faults].filter((key) => !key?.startsWith('unavailable.database'))).toEqual([]);

  expect(mount('-o', 'remount,size=160m', disk)).toBe(true);
  await sql`select 1`.catch(() => {});
  expect((await sql<{ id: number }[]>`select id from notes order by id`).map(({ id }) => id)).toEqual(
    acknowledged,
  );
  await sql`insert into notes values (0, 'there is room')`;
  await database.close();

  const again = await openDatabase({ url: undefined, dataDir: disk });
  const [row] = await again.sql`select count(*)::int as count from notes`;
  expect(row).toEqual({ count: acknowledged.length + 1 });
  await again.close();
});

function mount(...args: string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
