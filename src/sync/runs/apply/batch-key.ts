import { createHash } from 'node:crypto';

/**
 * The key of a write, in the form of a UUID: the same whenever this write of this batch of this run is made, also by
 * another process after a crash, and another for any other write.
 */
export function batchKey(runId: string, batch: number, write: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([runId, batch, write]))
    .digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(16), 16) % 4);
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`];
  return [...parts, `${variant}${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
}
