import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../results.ts';
import { type Kept, KINDS, type Kind, makeCall, ORDER, type Send, SHOPS } from './calls.ts';

/** Of the calls of one kind. Latencies are milliseconds from when a call was due. */
export type KindFigures = {
  readonly kind: Kind;
  readonly answered: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
};

export type SteadyOptions = {
  readonly rate: number;
  readonly seconds: number;
  /** The sender of a shop, by its number. */
  readonly sendAs: (shop: number) => Send;
  readonly kept: Kept;
  /** The number of the first call; templates are named by it. */
  readonly from: number;
  readonly signal: AbortSignal;
};

/** Makes calls at a steady rate, whether answers come or not, and waits for the last answer. */
export async function loadSteadily({ rate, seconds, sendAs, kept, from, signal }: SteadyOptions) {
  const latencies = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  const errors: { readonly kind: Kind; readonly at: number; readonly says: string }[] = [];
  const began = performance.now();
  const calls: Promise<unknown>[] = [];
  for (let nth = 0; nth < rate * seconds; nth++) {
    const due = began + (nth * 1000) / rate;
    await sleep(Math.max(0, due - performance.now()), undefined, { signal });
    const n = from + nth;
    const kind = ORDER[n % ORDER.length] ?? 'render';
    const shop = n % SHOPS;
    const answered = makeCall(kind, n, shop, sendAs(shop), kept).then(
      () => latencies.get(kind)?.push(performance.now() - due),
      (error: unknown) => errors.push({ kind, at: (due - began) / 1000, says: String(error) }),
    );
    calls.push(answered);
  }
  await Promise.all(calls);
  const figures: KindFigures[] = [...latencies].map(([kind, times]) => ({
    kind,
    answered: times.length,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    errors: errors.filter((one) => one.kind === kind).length,
  }));
  return { figures, errors };
}
