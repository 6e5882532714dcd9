import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { type Child, startChild } from './children.ts';

let home: string;
let whole: { milliseconds: number; files: number };
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stallhand-first-start-'));
  whole = await firstStart(join(home, 'undisturbed'));
  console.info(`a first start takes ${Math.round(whole.milliseconds)} ms and makes ${whole.files} files`);
});
afterAll(() => rm(home, { recursive: true }));

test.each([0.1, 0.3, 0.5, 0.7, 0.9])(
  'killed after %d of its time, the first start leaves nothing in the way',
  async (part) => {
    const dataDir = join(home, `time-${part}`);
    const child = startChild('opener', dataDir);
    await delay(whole.milliseconds * part);
    await killAndStart(child, dataDir);
  },
);

test.each([0.01, 0.25, 0.5, 0.75, 0.99])(
  'killed at %d of its files, the first start leaves nothing in the way',
  async (part) => {
    const dataDir = join(home, `files-${part}`);
    const child = startChild('opener', dataDir);
    while ((await filesOfDraft(dataDir)) < whole.files * part) await new Promise(setImmediate);
    expect(child.lines).toEqual([]);
    await killAndStart(child, dataDir);
  },
);

async function killAndStart(child: Child, dataDir: string): Promise<void> {
  await child.kill();
  const database = await openDatabase({ url: undefined, dataDir });
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  await database.close();
  const left = (await readdir(dataDir)).map((name) => name.replace(/\d+$/, 'n'));
  expect(left).toEqual(['database', 'database.lock.n']);
}

async function firstStart(dataDir: string): Promise<typeof whole> {
  const start = performance.now();
  const child = startChild('opener', dataDir);
  await child.line((line) => line === 'open');
  const milliseconds = performance.now() - start;
  expect(await child.stop()).toBe(0);
  return { milliseconds, files: (await readdir(join(dataDir, 'database'), { recursive: true })).length };
}

/** How many files there are of a database that is being made. */
async function filesOfDraft(dataDir: string): Promise<number> {
  const names: string[] = await readdir(dataDir).catch(() => []);
  const draft = names.find((name) => name.startsWith('database.tmp-'));
  if (!draft) return 0;
  const files: string[] = await readdir(join(dataDir, draft), { recursive: true }).catch(() => []);
  return files.length;
}
