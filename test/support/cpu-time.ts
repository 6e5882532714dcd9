/** What the work costs this thread, in milliseconds: unlike the time on a clock, no other work on the machine counts. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
