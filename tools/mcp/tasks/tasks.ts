import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Fault } from '../../../src/errors.ts';
import { localizeFault, type Reader } from '../../../src/language.ts';
import type { Tool } from '../../contract/define.ts';
import { answerRead } from '../visit-call.ts';
import { isOlder, refuserOf } from './core-task.ts';
import { offerCoreTasks, type TaskParts } from './core-tasks.ts';
import { answerTask, cancelTask, wholeTask } from './read-task.ts';
import { declareTasks, EXTENSION_FORM, knowsTasks, OfTask, requireTasks, type TaskForm } from './task.ts';

const Answers = z.record(z.string(), z.json()).catch({});

/**
 * The extension for tasks: a call that can take long returns a task immediately, and its result is requested later, over
 * any connection and on any node. A task is a job, a video or a sync run under its own ID. Clients of 2025 have two of its
 * methods in their own form.
 * In: a call that can take long, or the ID of a task. Out: a task, its status and its result. Invariant: a task is only
 * ever shown to a caller who may see the work it stands for.
 */
export function offerTasks(mcp: McpServer, parts: TaskParts) {
  const { server } = mcp;
  const core = offerCoreTasks(mcp, parts);
  declareTasks(mcp);
  server.setRequestHandler('tasks/get', { params: OfTask }, ({ taskId }, ctx) => {
    if (isOlder(ctx)) return answerRead(parts, ctx, (reading) => core.get(taskId, reading));
    requireTasks(ctx);
    return answerRead(parts, ctx, (reading) => wholeTask(taskId, reading));
  });
  server.setRequestHandler('tasks/update', { params: OfTask }, ({ taskId }, ctx) => {
    requireTasks(ctx);
    return answerRead(parts, ctx, async (reading) => {
      await answerTask(taskId, Answers.parse(ctx.mcpReq.inputResponses), reading);
      return {};
    });
  });
  server.setRequestHandler('tasks/cancel', { params: OfTask }, ({ taskId }, ctx) => {
    if (isOlder(ctx)) return answerRead(parts, ctx, (reading) => core.cancel(taskId, reading));
    requireTasks(ctx);
    return answerRead(parts, ctx, async (reading) => {
      await cancelTask(taskId, reading);
      return {};
    });
  });

  /** How a call is answered with a task; undefined for a client that knows none. @throws ProtocolError for a call without */
  return (
    {
      tool,
      args,
      params,
      visit,
    }: {
      readonly tool: Tool;
      readonly args: unknown;
      readonly params: object;
      readonly visit: Reader;
    },
    ctx: ServerContext,
  ): TaskForm | undefined => {
    const asked = core.formFor(params, ctx);
    const refuser = asked && refuserOf(tool, args);
    if (refuser) throw noTask(refuser.name, visit);
    return asked ?? (knowsTasks(ctx) ? EXTENSION_FORM : undefined);
  };
}

function noTask(tool: string, reader: Reader): ProtocolError {
  const { detail } = localizeFault(new Fault('conflict.no_task', { tool }), reader);
  return new ProtocolError(ProtocolErrorCode.MethodNotFound, detail);
}
