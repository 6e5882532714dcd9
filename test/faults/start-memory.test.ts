import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { newFolder, startProcess } from './server-process.ts';

const MIB = 1024;

/** Long enough for the queue to be ready, and for what V8 compiles in the background. */
const QUIET_MS = 5_000;

test.runIf(process.platform === 'linux')(
  'with the embedded database, a first start takes at most 400 MiB of memory, and a later one 350',
  async () => {
    const folder = await newFolder();
    expect(await peakOfStart(folder.path)).toBeLessThan(400);
    expect(await peakOfStart(folder.path)).toBeLessThan(350);
    await folder.remove();
  },
);

/** The most that the process had resident until it was ready and quiet, in MiB. */
async function peakOfStart(dataDir: string): Promise<number> {
  const server = await startProcess(dataDir);
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  await server.kill();
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(status) ?? [];
  return Math.round(Number(peak) / MIB);
}
