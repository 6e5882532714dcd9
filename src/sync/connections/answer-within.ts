import type { Fault } from '../../errors.ts';

/** Somebody waits for the answer at the screen. */
const CHECK_MS = 20_000;

/**
 * Asks a store or a spreadsheet while somebody waits.
 * @throws Fault `late` when it takes too long; what the asking throws otherwise.
 */
export async function answerWithin<Answer>(
  signal: AbortSignal,
  late: () => Fault,
  ask: (signal: AbortSignal) => Promise<Answer>,
  ms = CHECK_MS,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(ms);
  try {
    return await ask(AbortSignal.any([signal, deadline]));
  } catch (error) {
    throw deadline.aborted && !signal.aborted ? late() : error;
  }
}
