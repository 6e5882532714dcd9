/**
 * Milliseconds this thread has worked since it began. Limits on work count these, so that a busy machine is late and not
 * wrong: other work on the machine adds to the time on a clock, and nothing to this.
 */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
