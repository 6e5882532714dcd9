import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { percentile } from '../results.ts';
import { generate, type Target } from './requests.ts';

export type Pace = { readonly seconds: number; readonly rate: number };

/** Milliseconds by the clock, without the provider's part; with the load's, and that of all else on this machine. */
export type SteadyFigures = {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
};

/** Sends requests at a steady pace, whether answers come or not, and takes the provider's part out of each. */
export async function runSteadily(
  target: Target,
  provider: string,
  { seconds, rate }: Pace,
  signal: AbortSignal,
): Promise<SteadyFigures> {
  const start = performance.now();
  const latencies = new Map<string, number>();
  let errors = 0;
  const sent = [];
  await fetch(`${provider}/times`);
  for (let number = 0; number < rate * seconds; number++) {
    const wait = start + (number * 1000) / rate - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal });
    sent.push(
      generate(target, number, signal).then(
        (ms) => latencies.set(String(number), ms),
        () => errors++,
      ),
    );
  }
  await Promise.all(sent);
  const times = z.record(z.string(), z.number()).parse(await (await fetch(`${provider}/times`)).json());
  const own = [...latencies].map(([number, ms]) => ms - (times[number] ?? Number.NaN));
  return { name: target.name, p50: percentile(own, 50), p99: percentile(own, 99), errors };
}
