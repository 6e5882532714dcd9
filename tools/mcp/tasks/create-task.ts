import { z } from 'zod';
import type { Job, JobQuestion } from '../../../src/jobs/job.ts';
import type { Call, Tool } from '../../contract/define.ts';
import { invoke } from '../../contract/invoke.ts';
import { AGREED, keyOf } from '../../contract/require-confirmed.ts';
import type { Choice } from '../catalog.ts';
import type { Reach } from '../confirm.ts';
import { type Task, taskOfJob } from './task.ts';

const JsonInput = z.record(z.string(), z.json());

/**
 * Makes a job of a call before it begins, so that it outlives the request, the connection and this process. An
 * invalid call fails now: it passes the checks of every call up to its run. Undefined for a call that does not
 * become a job: it is made like any other. Where the client shows forms, the task itself asks what a person has
 * to confirm; elsewhere that comes first, and the job changes nothing but what was confirmed.
 */
export async function createTask(
  called: Tool,
  args: unknown,
  call: Call,
  { choice, reach }: { readonly choice: Choice; readonly reach: Reach },
): Promise<Task | undefined> {
  const work = workOf(called, args, choice);
  if (!work?.tool.job || work.tool.needsThisProcess?.(work.args)) return undefined;
  const { confirm, ...tool } = work.tool;
  const { name } = tool;
  // A run can ask of its own accord, too.
  const asks = reach.form ? ({ asks: true } as const) : {};
  const questions: Record<string, JobQuestion> = {};
  const ask: Call['ask'] = async (asked) => {
    await call.ask?.(asked);
    questions[keyOf(asked)] = { asked: JSON.parse(JSON.stringify(asked.question)), answer: AGREED };
  };
  const accept: Tool = {
    ...tool,
    ...(confirm && !reach.form && { confirm }),
    output: z.unknown(),
    run() {
      const input = JsonInput.parse(work.args ?? {});
      const { caller, locale, baseUrl } = call;
      const job = { tool: name, input, locale, baseUrl, byModel: true, questions, ...asks } as const;
      return call.app.jobs.create(caller, job);
    },
  };
  // What `run` above returns.
  const job = (await invoke(accept, work.args, { ...call, ...(call.ask && { ask }) })).output as Job;
  return taskOfJob(job);
}

/** The tool that a call comes to, with its arguments; undefined where the tool called has to refuse it. */
function workOf(tool: Tool, args: unknown, choice: Choice): { tool: Tool; args: unknown } | undefined {
  const inner = tool.inner?.(args);
  if (!inner) return { tool, args };
  const { tool: named, input } = inner;
  const isOpen = choice.find(named.name) !== undefined && (tool.effect !== 'read' || named.effect === 'read');
  return isOpen ? { tool: named, args: input } : undefined;
}
