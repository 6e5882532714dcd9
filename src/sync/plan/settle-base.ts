import type { Run } from '../runs/run.ts';
import type { SettleStore } from './settle-store.ts';
import { windows } from './windows.ts';

/** Rows one statement compares. */
const WINDOW = 10_000;

/** Takes rows that both sides were read to have alike into the base, and forgets those that the sheet has lost. */
export async function settleBase(settled: SettleStore, run: Run): Promise<void> {
  const last = await settled.lastRow(run.id);
  // Without what was read, it would look as if both sides had lost everything.
  if (last === undefined) return;
  for (const window of windows(0, last, WINDOW)) await settled.settle(run, window);
  let after: string | undefined = '';
  while (after !== undefined) after = await settled.forgetLost(run, after);
}
