/** Runs a bench until it is done or told to stop, which its signal says; what fails is told in one line. */
export async function runBench(bench: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  }
  try {
    await bench(stop.signal);
  } catch (error) {
    const failure = stop.signal.aborted ? stop.signal.reason : error;
    console.error(failure instanceof Error ? failure.message : failure);
    process.exitCode = 1;
  }
}
