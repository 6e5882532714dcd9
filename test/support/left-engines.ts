import { globSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fastFolder } from './fast-folder.ts';

/** Begins the name of every folder of an engine that the processes of a test run leave open. */
export function engineFolders(run: number): string {
  return `stallhand-engine-${run}-`;
}

const HOUR_MS = 3_600_000;

/** Before a test run: removes what one that was killed more than an hour ago has left. */
export function setup(): void {
  for (const folder of new Set([fastFolder(), tmpdir()]))
    for (const left of globSync(`${folder}/stallhand-engine-*`)) {
      const run = Number(/stallhand-engine-(\d+)-/.exec(left)?.[1]);
      const made = statSync(left, { throwIfNoEntry: false })?.mtimeMs;
      const isOld = made !== undefined && made < Date.now() - HOUR_MS;
      if (isOld && !isRunning(run)) rmSync(left, { recursive: true, force: true });
    }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** After a test run: removes the folders of its engines. Vitest kills its processes, so they cannot. */
export function teardown(): void {
  for (const folder of new Set([fastFolder(), tmpdir()]))
    for (const left of globSync(`${folder}/${engineFolders(process.pid)}*`))
      rmSync(left, { recursive: true, force: true });
}
