import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Fault } from '../../errors.ts';

/** With less, browsers and encoders fail in ways that do not name the disk. */
const MIN_FREE_BYTES = 1024 * 1024;
const MAX_CAUSES = 10;

/** The fault of work that failed because a disk is full; undefined when it failed for another reason. */
export async function diskFault(error: unknown): Promise<Fault | undefined> {
  if (isDiskFault(error)) return error;
  const isFull = saysFull(error) || (isUnexplained(error) && (await isTemporaryFolderFull()));
  return isFull ? new Fault('unavailable.disk_full', {}, { cause: error }) : undefined;
}

/** True for the faults of full disks. */
export function isDiskFault(error: unknown): error is Fault {
  return (
    error instanceof Fault &&
    (error.key === 'unavailable.disk_full' || error.key === 'unavailable.files_full')
  );
}

/** Node's own errors name the system call; those of the database do not, and are not about this disk. */
function saysFull(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return false;
  const isOwn = 'syscall' in error && 'code' in error && /^(?:ENOSPC|EDQUOT)$/.test(String(error.code));
  return isOwn || /No space left on device/.test(error.message) || saysFull(error.cause, depth + 1);
}

/** Anything but a Fault about the page or the request. */
function isUnexplained(error: unknown): boolean {
  if (!(error instanceof Fault)) return true;
  return ['unavailable', 'not_configured'].includes(error.code) || error.key === 'video_failed.crashed';
}

async function isTemporaryFolderFull(): Promise<boolean> {
  const room = await statfs(tmpdir()).catch(() => undefined);
  return room !== undefined && room.bavail * room.bsize < MIN_FREE_BYTES;
}
