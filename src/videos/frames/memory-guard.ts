import { readdir, readFile } from 'node:fs/promises';

/** How often the memory is measured: a script can take some 200 MB in that time. */
const INTERVAL_MS = 500;
const PAGE_BYTES = 4096;

/**
 * Watches the memory of a browser and its children, where the system tells it (Linux). The heap of a page is limited by
 * the browser itself; its buffers and images are not.
 * @param group ID of the process group
 * @param onOver called once, when the processes have more than `limitBytes` for themselves
 * @returns a function that stops watching
 */
export function watchMemory(group: number, limitBytes: number, onOver: () => void): () => void {
  if (process.platform !== 'linux') return () => {};
  const others = new Set<string>();
  let isMeasuring = false;
  const timer = setInterval(() => {
    if (isMeasuring) return;
    isMeasuring = true;
    void memoryOf(group, others).then((bytes) => {
      isMeasuring = false;
      if (bytes <= limitBytes) return;
      clearInterval(timer);
      onOver();
    });
  }, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Bytes that the processes of a group have for themselves.
 * @param others IDs of processes that were seen not to belong to it, and are not looked at again while they run: a machine has
 * hundreds of them
 */
export async function memoryOf(group: number, others: Set<string> = new Set()): Promise<number> {
  const names = await readdir('/proc').catch(() => []);
  const ids = new Set(names.filter((name) => /^\d+$/.test(name)));
  for (const id of others) if (!ids.has(id)) others.delete(id);
  const each = await Promise.all([...ids.difference(others)].map(bytesOf));
  return each.reduce((sum, bytes) => sum + bytes, 0);

  async function bytesOf(id: string): Promise<number> {
    if ((await groupOf(id)) === group) return ownBytes(id);
    others.add(id);
    return 0;
  }
}

// A listed process may have ended.
async function groupOf(id: string): Promise<number> {
  const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
  // After the name, which is in parentheses: state, parent, group.
  const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(group);
}

async function ownBytes(id: string): Promise<number> {
  const statm = await readFile(`/proc/${id}/statm`, 'utf8').catch(() => '');
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}
