import { Fault } from '../../../errors.ts';
import { databaseFault } from '../../../platform/database/database-fault.ts';
import type { Attempt } from '../../../platform/work/attempt.ts';
import type { WorkHandler, WorkTask } from '../../../platform/work/work-handler.ts';
import type { Sides } from '../../plan/plan.ts';
import { createRunStore } from '../repositories/run-repo.ts';
import type { Run } from '../run.ts';
import { type ExecuteDeps, type Executed, executeRun } from './execute.ts';
import { type Ended, finishRun } from './finish-run.ts';
import { disconnectedSide, sideFault } from './side-fault.ts';

/** Executes runs and stores their outcomes. */
export function createRunHandler(deps: ExecuteDeps): WorkHandler<Run, Executed> {
  const { sql, planner, log } = deps;
  const runs = createRunStore(sql);

  return {
    begin,
    async abandoned(fence, fault) {
      const run = await runs.takeLost(fence);
      if (run) await finish({ run, claimed: run, sides: undefined }, { by: 'error', cause: fault });
    },
  };

  function begin(claimed: Run, attempt: Attempt): WorkTask<Executed> {
    const { fence } = attempt;
    let sides: Sides | undefined;
    return {
      async run() {
        sides = await deps.openSides(claimed, attempt.away);
        return executeRun(deps, claimed, sides, attempt);
      },
      async finish(outcome) {
        if (outcome.by !== 'done') return giveUp(outcome);
        const { run, state } = outcome.result;
        if (state === 'unconfirmed') return settled(run);
        await finish({ run, claimed, sides }, { by: state }).catch((cause: unknown) =>
          giveUp({ by: 'error', cause }),
        );
      },
    };

    async function giveUp(ended: Ended): Promise<void> {
      const run = (await runs.find(fence.accountId, fence.id)) ?? claimed;
      if (ended.by === 'error') await report(claimed, ended.cause);
      await finish({ run: { ...run, attempt: fence.attempt }, claimed, sides }, ended);
    }
  }

  async function report(run: Run, error: unknown): Promise<void> {
    if (!(error instanceof Fault)) log.error({ err: error, run: run.id }, 'a sync run failed');
    // Without the database the run is delivered again.
    if (databaseFault(error)) throw error;
    const fault = sideFault(error);
    const side = fault && disconnectedSide(fault);
    if (side) await deps.connectionFailed(run, side, fault);
  }

  async function finish(
    what: { run: Run; claimed: Run; sides: Sides | undefined },
    ended: Ended,
  ): Promise<void> {
    const run = await finishRun({ sql, planner }, what, ended);
    if (!run) return log.warn({ run: what.run.id }, 'a sync run was finished by another attempt');
    await settled(run);
  }

  /** The run has its outcome by then. */
  async function settled(run: Run): Promise<void> {
    await deps
      .runSettled?.(run)
      .catch((error: unknown) => log.warn({ err: error, run: run.id }, 'no notice of a sync run was sent'));
  }
}
