import { z } from 'zod';
import type { Caller } from '../identity/caller.ts';
import { LOCALES, type Locale } from '../language.ts';
import { StoredFault } from '../platform/stored-fault.ts';

export type Json = z.output<ReturnType<typeof z.json>>;

export const JobStatus = z.enum(['queued', 'running', 'waiting', 'completed', 'failed', 'canceled']);
export type JobStatus = z.output<typeof JobStatus>;

export const JobProgress = z.object({ done: z.number(), total: z.number(), message: z.string() });
export type JobProgress = z.output<typeof JobProgress>;

/**
 * Who asked for a job; `byModel`: a model did, so what only a person may do stays closed to the run. `asks`: the run itself
 * puts its questions to the person, and waits for them.
 */
export type JobCaller = Omit<Caller, 'accountId'> & { readonly byModel?: true; readonly asks?: true };

/** A question to a person and, once there is one, the answer. The caller of `answer` defines both. */
export const JobQuestion = z.object({ asked: z.json(), answer: z.json().optional() });
export type JobQuestion = z.output<typeof JobQuestion>;

/** Thrown by a run that a person must answer first: it runs again, from its beginning, once all of this is answered. */
export class JobWaits extends Error {
  readonly asked: Readonly<Record<string, Json>>;

  constructor(asked: Readonly<Record<string, Json>>) {
    super('A person is asked first.');
    this.asked = asked;
  }
}

/** One call of a tool that runs after its answer. */
export const Job = z.object({
  seq: z.number(),
  id: z.string(),
  account_id: z.string(),
  tool: z.string(),
  /** As the caller sent it; it has passed the tool's parser once. Empty when the job is finished. */
  input: z.record(z.string(), z.json()),
  // Written by ourselves from a Caller, so its parts need no second look.
  caller: z.custom<JobCaller>((value) => typeof value === 'object'),
  locale: z.enum(LOCALES),
  /** Address of the server as the caller reached it, without a slash at the end: links in the result begin with it. */
  base_url: z.string(),
  status: JobStatus,
  attempt: z.number(),
  revision: z.number(),
  progress: JobProgress.nullable(),
  /** By their keys. */
  questions: z.record(z.string(), JobQuestion),
  result: z.json(),
  error: StoredFault.nullable(),
  cancel_requested: z.boolean(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
});
export type Job = z.output<typeof Job>;

export type NewJob = {
  readonly tool: string;
  readonly input: Record<string, Json>;
  readonly locale: Locale;
  /** Address of the server as the caller reaches it, without a slash at the end. */
  readonly baseUrl: string;
  /** A model asks for it. What a person has to confirm has been confirmed, unless the job `asks`. */
  readonly byModel?: true;
  /** The run puts its questions to the person, who answers with `answer`. */
  readonly asks?: true;
  /** What a person has already answered, by the keys of the questions. */
  readonly questions?: Readonly<Record<string, JobQuestion>>;
};

/** Who asks for jobs. */
export type JobReader = Pick<Caller, 'actor' | 'scopes' | 'keyId' | 'appId' | 'userId'>;

/** True for the credential that asked for the job itself: two keys of an account can have the same name. */
export function hasAsked({ caller }: Pick<Job, 'caller'>, reader: JobReader): boolean {
  const { actor, keyId, appId, userId } = reader;
  const isSameId = caller.keyId === keyId && caller.appId === appId && caller.userId === userId;
  return isSameId && caller.actor === actor;
}

/** A job shows to whom it belongs, and to those who may do all that its caller might: its result can hold what others may not read. */
export function maySee(job: Pick<Job, 'caller'>, reader: JobReader): boolean {
  return hasAsked(job, reader) || job.caller.scopes.every((scope) => reader.scopes.includes(scope));
}

/** True for a job that nothing will change any more. */
export function isFinished({ status }: Pick<Job, 'status'>): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'waiting';
}

/** True for a question without an answer. */
export function isOpen({ answer }: JobQuestion): boolean {
  return answer === undefined;
}
