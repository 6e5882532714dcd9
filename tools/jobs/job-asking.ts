import { Fault } from '../../src/errors.ts';
import { type Job, JobWaits, type Json } from '../../src/jobs/job.ts';
import { AskedFirst } from '../contract/asked-first.ts';
import type { Call } from '../contract/define.ts';
import { agrees, keyOf } from '../contract/require-confirmed.ts';

/**
 * How the run of a job puts questions to a person: it ends with what it asks, and asks the same again when it runs with the
 * answers. A question's key follows from what it says, so an answer counts for what the person was told and nothing else:
 * when the run would by now change something else, it asks again.
 * A job that does not ask is made with the answers, and changes nothing else.
 */
export function createJobAsking({ questions, caller }: Pick<Job, 'questions' | 'caller'>) {
  const asked: Record<string, Json> = {};
  return {
    /** @throws AskedFirst; Fault confirmation_required.declined, confirmation_required.not_valid */
    ask: (async (one) => {
      const key = keyOf(one);
      const answer = questions[key]?.answer;
      if (answer === undefined && !caller.asks)
        throw new Fault('confirmation_required.not_valid', { tool: one.tool.name });
      if (answer === undefined) {
        asked[key] = JSON.parse(JSON.stringify(one.question));
        throw new AskedFirst();
      }
      if (!agrees(answer)) throw new Fault('confirmation_required.declined', { tool: one.tool.name });
    }) satisfies Call['ask'],
    /** What a run that has ended still asks: several questions where it asked them at the same time. */
    waits: () => (Object.keys(asked).length > 0 ? new JobWaits(asked) : undefined),
  };
}
