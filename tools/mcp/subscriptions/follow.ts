import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Conversation, Visit } from '../call.ts';
import { kindOf } from '../resources/kinds.ts';
import { listedTemplates, readResource } from '../resources/read-resource.ts';
import { type FoundTask, findTask, wholeTask } from '../tasks/read-task.ts';
import { type Reading, type ReadingParts, readingFor } from '../visit-call.ts';
import { type Allowance, createSubscriptions, type Subject, type Subscriptions } from './subscriptions.ts';

type Told = {
  readonly onUpdated: (address: string) => Promise<void>;
  readonly onListChanged: () => Promise<void>;
  readonly onEnd: () => void;
};

/** Before the ID of a task, where an address is meant. No resource has such an address. */
export const TASK_ADDRESS = 'task:';

export type Follower = Subscriptions & {
  /** A task without its result. @throws Fault not_found */
  findTask(address: string): Promise<FoundTask>;
  /** A task as clients are told of it. @throws Fault not_found */
  readTask(address: string): ReturnType<typeof wholeTask>;
  /** From now on it reads for a later visit of the same caller. */
  actFor(visit: Visit): void;
};

/** Follows resources and tasks for one conversation, each read with the tools and the rights that it has then. */
export function follow(
  parts: ReadingParts & { readonly allowance?: Allowance },
  begun: Visit,
  told: Told,
): Follower {
  let visit = begun;
  let reading = readingOf(visit);
  function readingOf(one: Visit): Reading {
    const choice = parts.choiceOf(one);
    const reader: Conversation = { ...one, voice: choice.voiceFor(one) };
    return readingFor(parts, { visit: reader, choice }, new AbortController().signal);
  }
  const find = (address: string) => findTask(address.slice(TASK_ADDRESS.length), reading);
  const subscriptions = createSubscriptions({
    app: parts.app,
    log: parts.log,
    accountId: begun.caller.accountId,
    async renew() {
      reading = readingOf({ ...visit, caller: await parts.app.credentials.renew(visit.caller) });
    },
    subjectOf,
    allowance: parts.allowance,
    async read(address) {
      if (address.startsWith(TASK_ADDRESS)) return find(address);
      // Only what can change: a guide never does, and a file is no resource of a kind.
      const read = kindOf(address) && (await readResource(address, reading));
      if (!read) throw new ResourceNotFoundError(address);
      return read;
    },
    list: () => listedTemplates(reading),
    ...told,
  });
  return {
    ...subscriptions,
    findTask: find,
    readTask: (address) => wholeTask(address.slice(TASK_ADDRESS.length), reading),
    actFor(later) {
      visit = later;
      reading = readingOf(later);
    },
  };
}

function subjectOf(address: string): Subject {
  if (address.startsWith(TASK_ADDRESS)) return { key: address, work: address.slice(TASK_ADDRESS.length) };
  const known = kindOf(address);
  if (!known) return { key: address, work: undefined };
  const { kind, variables } = known;
  const { video_id, job_id, run_id } = variables;
  return { key: `${kind.name} ${JSON.stringify(variables)}`, work: video_id ?? job_id ?? run_id };
}
