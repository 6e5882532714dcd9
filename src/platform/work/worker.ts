import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../errors.ts';
import type { Log } from '../log.ts';
import { DELIVERIES, type Delivery } from '../queue/queue.ts';
import { type Attempt, createAttempt, type Ending, type Fence } from './attempt.ts';
import type { Asked, Craft, End, Task } from './craft.ts';
import { LIMITS, type WorkLimits } from './limits.ts';
import { createProgressWriter, type Progress } from './progress-writer.ts';
import type { Ticket } from './ticket.ts';

type WorkerParts<Piece, Result> = Craft<Piece, Result> & {
  /** Makes the piece the attempt's own: undefined when it has ended, or when this or a later attempt has it. */
  readonly claim: (fence: Fence) => Promise<Piece | undefined>;
  /** Says that the attempt is alive: undefined when the piece is not its own any more. */
  readonly beat: (fence: Fence) => Promise<Asked | undefined>;
  /** False when the piece is not the attempt's own any more. */
  readonly advance: (fence: Fence, progress: Progress) => Promise<boolean>;
  /** Gives the piece back to the queue, if the attempt still owns it. */
  readonly release: (fence: Fence) => Promise<void>;
  /** What the log calls the id of a piece. */
  readonly noun: string;
  readonly log: Log;
  readonly limits?: Partial<WorkLimits> | undefined;
};

/** How an attempt ended that wrote nothing down: another has the piece, or is to have it. */
type Left = { readonly by: 'stopping' } | { readonly by: 'lost' };

const HOUR_MS = 60 * 60_000;

export type Worker = ReturnType<typeof createWorker>;

/**
 * Does the work that the queue delivers. A delivery may come twice, or after the work has gone on without it: the
 * attempt's number decides whose writing counts, and it is the database that compares it.
 */
export function createWorker<Piece extends Asked, Result>(parts: WorkerParts<Piece, Result>) {
  const { claim, advance, release, begin, noun, log } = parts;
  const { beatMs, runMs, graceMs, progressMs } = { ...LIMITS, ...parts.limits };
  const running = new Map<Attempt, Promise<void>>();
  let stopping = false;

  return {
    async handle({ accountId, id, from }: Ticket, { retry, signal }: Delivery): Promise<void> {
      const fence = { accountId, id, attempt: from + retry + 1 };
      const piece = await claim(fence);
      if (!piece) return;
      const progress = createProgressWriter(async (state) => {
        if (!(await advance(fence, state))) attempt.end('lost');
      }, progressMs);
      const attempt = createAttempt(fence, progress.report);
      const { promise: closed, resolve: close } = Promise.withResolvers<void>();
      running.set(attempt, closed);
      const disown = () => attempt.end('lost');
      signal.addEventListener('abort', disown, { once: true });
      const late = setTimeout(() => attempt.end('late'), runMs);
      const pulse = setInterval(() => void beat(attempt), beatMs);
      if (piece.cancel_requested) attempt.end('canceled');
      if (stopping) attempt.end('stopping');
      try {
        await carryOut(begin(piece, attempt), attempt, progress.settle);
      } finally {
        clearTimeout(late);
        clearInterval(pulse);
        signal.removeEventListener('abort', disown);
        running.delete(attempt);
        close();
      }
    },

    /** Of a ticket that was delivered as often as tickets are, and never done. */
    lost({ accountId, id, from }: Ticket): Promise<void> {
      return parts.lost({ accountId, id, attempt: from + DELIVERIES }, new Fault('internal.job_lost'));
    },

    /** Ends what its owner asked to end, if it runs here. */
    cancel(id: string): void {
      for (const attempt of running.keys()) if (attempt.fence.id === id) attempt.end('canceled');
    },

    /** Lets what runs end for a moment, then has it given back. Takes at most twice the grace. */
    async stop(): Promise<void> {
      stopping = true;
      const ended = Promise.all(running.values());
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
      for (const attempt of running.keys()) attempt.end('stopping');
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
    },
  };

  async function carryOut(
    task: Task<Result>,
    attempt: Attempt,
    settleProgress: () => Promise<void>,
  ): Promise<void> {
    const end = await endOf(task, attempt);
    await settleProgress();
    if (end.by === 'stopping') await release(attempt.fence);
    else if (end.by !== 'lost') await task.finish(end);
  }

  async function endOf(task: Task<Result>, attempt: Attempt): Promise<End<Result> | Left> {
    try {
      attempt.signal.throwIfAborted();
      return { by: 'done', result: await task.run() };
    } catch (error) {
      return endAfter(attempt.ending, error);
    }
  }

  function endAfter(ending: Ending | undefined, cause: unknown): End<never> | Left {
    switch (ending) {
      case 'canceled':
      case 'stopping':
      case 'lost':
        return { by: ending };
      case 'late':
        return { by: 'error', cause: new Fault('internal.job_late', { hours: runMs / HOUR_MS }) };
      case undefined:
        return { by: 'error', cause };
    }
  }

  async function beat(attempt: Attempt): Promise<void> {
    const { fence } = attempt;
    try {
      const state = await parts.beat(fence);
      if (!state) attempt.end('lost');
      else if (state.cancel_requested) attempt.end('canceled');
    } catch (error) {
      // A database that does not answer says nothing about whose the work is.
      log.debug({ err: error, [noun]: fence.id }, 'no heartbeat');
    }
  }
}
