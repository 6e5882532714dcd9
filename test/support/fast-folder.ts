import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const ROOM = 4 * 1024 ** 3;

/**
 * Where the files of tests go: into memory, where the system has it as a folder with room for many databases. One is a
 * thousand small files, which are copied there twenty times as fast.
 */
export function fastFolder(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > ROOM ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
