import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Call, Tool } from '../../tools/contract/define.ts';
import { invoke } from '../../tools/contract/invoke.ts';
import { JobAnswer, presentJob } from '../../tools/jobs/job-output.ts';

/** True when the client would rather have a job now than the answer later (RFC 7240). */
export function wantsJob({ job }: Tool, req: Request): boolean {
  return job === true && /(^|,)\s*respond-async\s*(;|,|$)/i.test(req.get('prefer') ?? '');
}

const JsonInput = z.record(z.string(), z.json());

/**
 * Answers 202 with a job that will make the call. What is wrong with the call is said now: it goes the road of every
 * call up to its run. A repeat with the same idempotency key gets the same answer; its Location has the job as it is by then.
 */
export async function respondAsync(
  tool: Tool,
  raw: object,
  call: Call,
  res: Response,
  baseUrl: string,
): Promise<void> {
  const { app, caller, locale } = call;
  const accept: Tool = {
    ...tool,
    // Its own name, so that a key used for the call itself is not taken for the same request.
    name: `${tool.name}:job`,
    effect: 'create',
    output: JobAnswer,
    async run() {
      const input = JsonInput.parse(raw);
      return presentJob(await app.jobs.create(caller, { tool: tool.name, input, locale, baseUrl }), call);
    },
  };
  const { output, replayed } = await invoke(accept, raw, call);
  const { id } = JobAnswer.parse(output);
  if (replayed) res.setHeader('Idempotency-Replayed', 'true');
  res.setHeader('Location', `/v1/jobs/${id}`);
  res.setHeader('Preference-Applied', 'respond-async');
  res.status(202).json(output);
}
