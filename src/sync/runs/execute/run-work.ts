import { Fault } from '../../../errors.ts';
import { databaseFault } from '../../../platform/database/database.ts';
import type { Attempt } from '../../../platform/work/attempt.ts';
import type { Craft, Task } from '../../../platform/work/craft.ts';
import type { Sides } from '../../plan/planner.ts';
import type { Run } from '../run.ts';
import { createRunStore } from '../store/run-store.ts';
import { type Executed, type ExecuteParts, executeRun } from './execute-run.ts';
import { type Ended, finishRun } from './finish-run.ts';
import { lostSide, outsideFault } from './plan-run.ts';

/** Executes runs, and writes down what becomes of them. */
export function createRunWork(parts: ExecuteParts): Craft<Run, Executed> {
  const { sql, planner, log } = parts;
  const runs = createRunStore(sql);

  return {
    begin,
    async lost(fence, fault) {
      const run = await runs.takeLost(fence);
      if (run) await finish({ run, claimed: run, sides: undefined }, { by: 'error', cause: fault });
    },
  };

  function begin(claimed: Run, attempt: Attempt): Task<Executed> {
    const { fence } = attempt;
    let sides: Sides | undefined;
    return {
      async run() {
        sides = await parts.openSides(claimed);
        return executeRun(parts, claimed, sides, attempt);
      },
      async finish(end) {
        if (end.by !== 'done') return giveUp(end);
        const { run, state } = end.result;
        if (state === 'held') return;
        await finish({ run, claimed, sides }, { by: state }).catch((cause: unknown) =>
          giveUp({ by: 'error', cause }),
        );
      },
    };

    async function giveUp(ended: Ended): Promise<void> {
      const run = (await runs.find(fence.accountId, fence.id)) ?? claimed;
      if (ended.by === 'error') await judge(claimed, ended.cause);
      await finish({ run: { ...run, attempt: fence.attempt }, claimed, sides }, ended);
    }
  }

  async function judge(run: Run, error: unknown): Promise<void> {
    if (!(error instanceof Fault)) log.error({ err: error, run: run.id }, 'a sync run failed');
    // Without the database the ticket comes again.
    if (databaseFault(error)) throw error;
    const fault = outsideFault(error);
    const side = fault && lostSide(fault);
    if (side) await parts.connectionFailed(run, side, fault);
  }

  async function finish(
    what: { run: Run; claimed: Run; sides: Sides | undefined },
    ended: Ended,
  ): Promise<void> {
    const isOwn = await finishRun({ sql, planner }, what, ended);
    if (!isOwn) log.warn({ run: what.run.id }, 'a sync run was finished by another attempt');
  }
}
