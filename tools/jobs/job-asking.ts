import { createHash } from 'node:crypto';
import { Fault } from '../../src/errors.ts';
import { type Job, JobWaits, type Json } from '../../src/jobs/job.ts';
import type { Call } from '../contract/define.ts';
import { type Asked, agrees } from '../contract/require-confirmed.ts';

/**
 * How the run of a job puts questions to a person: it ends with what it asks, and asks the same again when it runs with the
 * answers. A question's key follows from what it says, so an answer counts for what the person was told and nothing else:
 * when the run would by now change something else, it asks again.
 */
export function createJobAsking({ questions }: Pick<Job, 'questions'>) {
  const asked: Record<string, Json> = {};
  return {
    /** @throws JobWaits; Fault confirmation_required.declined */
    ask: (async (one) => {
      const key = keyOf(one);
      const answer = questions[key]?.answer;
      if (answer === undefined) {
        asked[key] = JSON.parse(JSON.stringify(one.question));
        throw new JobWaits(asked);
      }
      if (!agrees(answer)) throw new Fault('confirmation_required.declined', { tool: one.tool.name });
    }) satisfies Call['ask'],
    /** What a run that has ended still asks: several questions where it asked them at the same time. */
    waits: () => (Object.keys(asked).length > 0 ? new JobWaits(asked) : undefined),
  };
}

function keyOf({ tool, input, question }: Asked): string {
  const told = createHash('sha256').update(JSON.stringify([tool.name, input, question]));
  return `ask_${told.digest('base64url').slice(0, 22)}`;
}
