import { processorSeconds } from './children.ts';
import type { Contestant } from './contestants.ts';
import type { Generator } from './load.ts';
import { loadAverage } from './machine.ts';
import type { Measurement } from './results.ts';

/** How long and how often each contestant is under load. */
export type Plan = {
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
};

const WARM_UP = { connections: 8, seconds: 4 };

/** Puts the contestants under load one after the other, round by round, and tells the console of each round. */
export async function runRounds(
  contestants: readonly Contestant[],
  { connections, rounds, seconds }: Plan,
  generator: Generator,
  signal: AbortSignal,
): Promise<Measurement[]> {
  for (const { request } of contestants) {
    await generator.load(request, WARM_UP.connections, WARM_UP.seconds, signal);
  }
  const measurements: Measurement[] = [];
  for (const count of connections) {
    for (let round = 1; round <= rounds; round++) {
      for (const contestant of inTurn(contestants, round)) {
        const measured = await measureOne(contestant, { connections: count, seconds }, generator, signal);
        measurements.push({ connections: count, round, ...measured });
      }
      console.log(`${count} connections, round ${round} of ${rounds}, load average ${loadAverage()}`);
    }
  }
  return measurements;
}

// Rotates the order, so that each contestant takes every position in turn.
function inTurn(contestants: readonly Contestant[], round: number): readonly Contestant[] {
  const first = round % contestants.length;
  return [...contestants.slice(first), ...contestants.slice(0, first)];
}

async function measureOne(
  { name, request, pid }: Contestant,
  { connections, seconds }: { connections: number; seconds: number },
  generator: Generator,
  signal: AbortSignal,
) {
  const before = processorSeconds(pid);
  const load = await generator.load(request, connections, seconds, signal);
  const after = processorSeconds(pid);
  if (before === undefined || after === undefined) return { name, load };
  return { name, load, processor: ((after - before) * 1000) / load.replies };
}
