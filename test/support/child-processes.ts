import { readdir, readFile } from 'node:fs/promises';

/** The processes that this one has started, and those that they have started, as `123 chromium`; Linux only. */
export async function childProcesses(of = process.pid): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)),
  );
  const all = stats.flatMap((stat) => {
    const [, pid, name, state, parent] = /^(\d+) \((.*)\) (\w) (\d+)/s.exec(stat ?? '') ?? [];
    return pid && name && state !== 'Z' ? [{ pid: Number(pid), name, parent: Number(parent) }] : [];
  });
  const under = (parent: number): string[] =>
    all.filter((one) => one.parent === parent).flatMap(({ pid, name }) => [`${pid} ${name}`, ...under(pid)]);
  return under(of);
}
