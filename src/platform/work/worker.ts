import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Delivery, MAX_DELIVERIES, type QueuedJob } from '../queue/queue.ts';
import { errorType } from '../tracing/error-type.ts';
import { NO_TRACING, type Span, type Tracing } from '../tracing/tracing.ts';
import { type AbortReason, type Attempt, createAttempt, type FencingToken } from './attempt.ts';
import { createProgressWriter, type Progress } from './progress-writer.ts';
import type { WorkHandler, WorkItem, WorkOutcome, WorkTask } from './work-handler.ts';

export type WorkLimits = typeof WORK_LIMITS;

export const WORK_LIMITS = {
  /** How long one attempt may take. */
  attemptTimeoutMs: 2 * 60 * 60_000,
  /** How long a stop waits for running work, once before and once after it aborts it. */
  gracePeriodMs: 4_000,
  /** Least time between two writes of an item's progress. */
  progressIntervalMs: 250,
  /** How long a start waits for a database that is not responding before it retries. */
  startRetryMs: 5_000,
};

type WorkerDeps<Item, Result> = WorkHandler<Item, Result> & {
  /** Gives the item to the attempt. Undefined when the item has ended, or when this or a later attempt has it. */
  readonly claim: (fence: FencingToken) => Promise<Item | undefined>;
  /** The item as it is now; undefined when the attempt no longer owns it. */
  readonly check: (fence: FencingToken) => Promise<WorkItem | undefined>;
  /** False when the attempt no longer owns the item. */
  readonly advance: (fence: FencingToken, progress: Progress) => Promise<boolean>;
  /** Returns the item to the queue, if the attempt still owns it. */
  readonly release: (fence: FencingToken) => Promise<void>;
  /** Name of an item's ID in the log. */
  readonly noun: string;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  readonly limits?: Partial<WorkLimits> | undefined;
};

/** An attempt that stores no outcome: another one has the item, or will have it. */
type Unfinished = { readonly by: 'stopping' } | { readonly by: 'superseded' };

const HOUR_MS = 60 * 60_000;

export type Worker = ReturnType<typeof createWorker>;

/**
 * Turns deliveries of the queue into attempts. A delivery can come after the item went on without it: the attempt's number
 * is the fencing token, and the database compares it with each write.
 */
export function createWorker<Item extends WorkItem, Result>(deps: WorkerDeps<Item, Result>) {
  const { claim, check, advance, release, begin, noun, log, metrics, tracing = NO_TRACING } = deps;
  const { attemptTimeoutMs, gracePeriodMs, progressIntervalMs } = { ...WORK_LIMITS, ...deps.limits };
  const running = new Map<Attempt, Promise<void>>();
  let isStopping = false;

  return {
    /** In the trace in which the job was added. */
    handle(
      { accountId, id, priorAttempts, traceparent: parent }: QueuedJob,
      delivery: Delivery,
    ): Promise<void> {
      const fence = { accountId, id, attempt: priorAttempts + delivery.retryCount + 1 };
      const attributes = {
        [`stallhand.${noun}`]: id,
        'stallhand.account': accountId,
        'stallhand.attempt': fence.attempt,
      };
      return tracing.span(noun, { kind: 'consumer', parent, attributes }, (span) =>
        attemptAt(fence, delivery, span),
      );
    },

    /** Gives up the item of a job that was delivered as often as jobs are, and never done. */
    abandoned({ accountId, id, priorAttempts }: QueuedJob): Promise<void> {
      const fence = { accountId, id, attempt: priorAttempts + MAX_DELIVERIES };
      return deps.abandoned(fence, new Fault('internal.job_lost'));
    },

    /** Ends the attempt at an item that its owner canceled, if it runs here. */
    cancel(id: string): void {
      for (const attempt of running.keys()) if (attempt.fence.id === id) attempt.abort('canceled');
    },

    /** After notices may have been missed: ends the attempts that were canceled or superseded. */
    async checkAll(): Promise<void> {
      await Promise.all([...running.keys()].map(checkAttempt));
    },

    /** Waits for running work, then aborts it so that it is released. Takes at most twice the grace period. */
    async stop(): Promise<void> {
      isStopping = true;
      const ended = Promise.all(running.values());
      await Promise.race([ended, delay(gracePeriodMs, undefined, { ref: false })]);
      for (const attempt of running.keys()) attempt.abort('stopping');
      await Promise.race([ended, delay(gracePeriodMs, undefined, { ref: false })]);
    },
  };

  async function attemptAt(fence: FencingToken, delivery: Delivery, span: Span): Promise<void> {
    const progress = createProgressWriter(async (state) => {
      if (!(await advance(fence, state))) attempt.abort('superseded');
    }, progressIntervalMs);
    const attempt = createAttempt(fence, progress.report, delivery.away);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    // Before the claim: a cancelation may be announced before the answer to the claim arrives.
    running.set(attempt, ended);
    const supersede = () => attempt.abort('superseded');
    delivery.signal.addEventListener('abort', supersede, { once: true });
    const timeout = setTimeout(() => attempt.abort('timed_out'), attemptTimeoutMs);
    try {
      const item = await claim(fence);
      if (!item) return;
      if (item.cancel_requested) attempt.abort('canceled');
      if (isStopping) attempt.abort('stopping');
      await carryOut(begin(item, attempt), attempt, { settleProgress: progress.settle, span });
    } finally {
      clearTimeout(timeout);
      delivery.signal.removeEventListener('abort', supersede);
      running.delete(attempt);
      end();
    }
  }

  async function carryOut(
    task: WorkTask<Result>,
    attempt: Attempt,
    { settleProgress, span }: { settleProgress: () => Promise<void>; span: Span },
  ): Promise<void> {
    const start = performance.now();
    const outcome = await outcomeOf(task, attempt);
    metrics?.attempt(noun, outcome.by, (performance.now() - start) / 1000);
    span.set({ 'stallhand.outcome': outcome.by });
    if (outcome.by === 'error') span.fail(errorType(outcome.cause));
    await settleProgress();
    if (outcome.by === 'stopping') await release(attempt.fence);
    else if (outcome.by !== 'superseded') await task.finish(outcome);
  }

  async function outcomeOf(
    task: WorkTask<Result>,
    attempt: Attempt,
  ): Promise<WorkOutcome<Result> | Unfinished> {
    try {
      attempt.signal.throwIfAborted();
      return { by: 'done', result: await task.run() };
    } catch (error) {
      return outcomeAfter(attempt.abortReason, error);
    }
  }

  function outcomeAfter(reason: AbortReason | undefined, cause: unknown): WorkOutcome<never> | Unfinished {
    switch (reason) {
      case 'canceled':
      case 'stopping':
      case 'superseded':
        return { by: reason };
      case 'timed_out':
        return { by: 'error', cause: new Fault('internal.job_late', { hours: attemptTimeoutMs / HOUR_MS }) };
      case undefined:
        return { by: 'error', cause };
    }
  }

  async function checkAttempt(attempt: Attempt): Promise<void> {
    const { fence } = attempt;
    try {
      const item = await check(fence);
      if (!item) attempt.abort('superseded');
      else if (item.cancel_requested) attempt.abort('canceled');
    } catch (error) {
      // A database that is not responding says nothing about the owner of the item.
      log.debug({ err: error, [noun]: fence.id }, 'an attempt could not be checked');
    }
  }
}
