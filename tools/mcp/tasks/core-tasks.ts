import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Fault } from '../../../src/errors.ts';
import type { Json } from '../../../src/jobs/job.ts';
import { clientCapabilities } from '../client-capabilities.ts';
import { reachOf } from '../confirm.ts';
import { type Follower, follow, TASK_ADDRESS } from '../subscriptions/follow.ts';
import type { Allowance } from '../subscriptions/subscriptions.ts';
import { answerRead, type Reading, type ReadingParts } from '../visit-call.ts';
import { coreTask, isOlder, related, startedCoreTask } from './core-task.ts';
import { followTask } from './follow-task.ts';
import { listTasks } from './list-tasks.ts';
import { answerTask, cancelTask, type FoundTask, findTask } from './read-task.ts';
import { hasEnded, OfTask, type Task, type TaskForm } from './task.ts';

/** How long the person has to answer one form. */
const FORM_MS = 10 * 60 * 1000;
/** How long the answer to a cancelation waits for the end of the work. */
const CANCEL_MS = 5_000;

/** How long `tasks/result` waits at most. */
const WAIT_MS = 30 * 60 * 1000;

export type TaskParts = ReadingParts & {
  /** Where the tasks that an account follows are counted, with its other subscriptions. */
  readonly allowance: Allowance;
  /** Where the results that an account waits for are counted. */
  readonly waits: Allowance;
};

const OfPage = z.looseObject({ cursor: z.string().optional() });
const Answer = z.looseObject({ action: z.string() });

/**
 * Tasks of revision 2025-11-25, which has them in its core: the same work under the same IDs as the extension of 2026. The
 * client asks for one with `task` in its call; what a person has to confirm is asked while `tasks/result` waits.
 */
export function offerCoreTasks(mcp: McpServer, parts: TaskParts) {
  const { server } = mcp;
  server.registerCapabilities({ tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } });
  server.setRequestHandler('tasks/result', { params: OfTask }, ({ taskId }, ctx) =>
    answerRead(parts, ctx, (reading) => resultOf(taskId, reading, ctx)),
  );
  server.setRequestHandler('tasks/list', { params: OfPage }, ({ cursor }, ctx) =>
    answerRead(parts, ctx, (reading) => listTasks(cursor, reading)),
  );
  const telling = createTelling(mcp, parts);

  return {
    /** How a call is answered that asks for a task; undefined for one that does not. */
    formFor(params: object, ctx: ServerContext): TaskForm | undefined {
      if (!isOlder(ctx) || !('task' in params) || params.task === undefined) return undefined;
      return {
        isAsked: true,
        answer(task) {
          void telling.begin(task, ctx);
          return startedCoreTask(task);
        },
      };
    },

    async get(taskId: string, reading: Reading) {
      return coreTask(await findTask(taskId, reading));
    },

    /** @throws Fault conflict.job_finished */
    async cancel(taskId: string, reading: Reading) {
      const { task } = await findTask(taskId, reading);
      if (hasEnded(task)) throw new Fault('conflict.job_finished', { status: task.status });
      await cancelTask(taskId, reading);
      const until = AbortSignal.any([reading.asModel.signal, AbortSignal.timeout(CANCEL_MS)]);
      for await (const { task: now } of followTask(taskId, reading, parts.log, until))
        if (hasEnded(now)) break;
      return coreTask(await findTask(taskId, reading));
    },
  };

  /** @throws Fault conflict.task_waits */
  async function resultOf(taskId: string, begun: Reading, ctx: ServerContext) {
    const found = await findTask(taskId, begun);
    if (hasEnded(found.task)) return resultAt(found);
    const { accountId } = begun.visit.caller;
    parts.waits.take(accountId);
    try {
      return await resultAt(await endOf(taskId, begun, ctx));
    } finally {
      parts.waits.giveBack(accountId);
    }
  }

  /** Waits for the result of the call, and asks the person its questions. @throws Fault conflict.task_goes_on */
  async function endOf(taskId: string, begun: Reading, ctx: ServerContext): Promise<FoundTask> {
    const { form } = reachOf(clientCapabilities(mcp, ctx));
    const signal = AbortSignal.any([ctx.mcpReq.signal, AbortSignal.timeout(WAIT_MS)]);
    for await (const { reading, ...found } of followTask(taskId, begun, parts.log, signal)) {
      if (hasEnded(found.task)) return found;
      if (!form || !found.task.inputRequests) continue;
      // Only who may answer is asked.
      await answerTask(taskId, {}, reading);
      await answerTask(taskId, await answersTo(found.task, ctx), reading);
    }
    if (ctx.mcpReq.signal.aborted) throw new ProtocolError(ProtocolErrorCode.InternalError, 'Canceled');
    throw new Fault('conflict.task_goes_on', { id: taskId, minutes: WAIT_MS / 60_000 });
  }
}

/** The answer of the call that the task stands for. @throws Fault conflict.task_canceled; ProtocolError where it failed */
async function resultAt({ task: { taskId }, end }: FoundTask) {
  const ending = await end?.();
  if (!ending) throw new Fault('conflict.task_canceled');
  if ('error' in ending) throw new ProtocolError(ending.error.code, ending.error.message);
  return { ...ending.result, _meta: { ...ending.result._meta, ...related(taskId) } };
}

/** One form after the other. */
async function answersTo(
  { taskId, inputRequests = {} }: Task,
  ctx: ServerContext,
): Promise<Record<string, Json>> {
  const answers: Record<string, Json> = {};
  for (const [key, { params }] of Object.entries(inputRequests)) {
    const request = { method: 'elicitation/create', params: { ...params, _meta: related(taskId) } };
    const said = await ctx.mcpReq.send(request, Answer, { timeout: FORM_MS, signal: ctx.mcpReq.signal });
    answers[key] = z.json().parse(said);
  }
  return answers;
}

/** Tells the client of a session how its tasks go on, as long as it is there. */
function createTelling({ server }: McpServer, parts: TaskParts) {
  let follower: Follower | undefined;
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    follower?.close();
  };
  const tell = async (address: string) => {
    // One that has gone since has nothing to tell.
    const found = await follower?.findTask(address).catch(() => undefined);
    if (!found) return;
    if (hasEnded(found.task)) follower?.remove(address);
    const params = { ...coreTask(found) };
    // A client that has gone away is told nothing.
    await server.notification({ method: 'notifications/tasks/status', params }).catch(() => {});
  };
  return {
    /** What cannot be followed, since so much is already, the client asks for. */
    async begin({ taskId }: Task, ctx: ServerContext): Promise<void> {
      const visit = parts.visitOf(ctx);
      follower?.actFor(visit);
      follower ??= follow(parts, visit, { onUpdated: tell, onListChanged: async () => {}, onEnd: () => {} });
      const address = `${TASK_ADDRESS}${taskId}`;
      await follower.add(address).catch(() => {});
    },
  };
}
