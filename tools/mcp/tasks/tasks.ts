import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answerRead, type ReadingParts } from '../visit-call.ts';
import { answerTask, cancelTask, findTask } from './read-task.ts';
import { declareTasks, requireTasks } from './task.ts';

const OfTask = z.looseObject({ taskId: z.string().max(64) });
const Answers = z.record(z.string(), z.json()).catch({});

/**
 * The extension for tasks: what can take long is answered with a task at once, and asked for later, over any connection and
 * on any node. A task is a job, a video or a sync run under its own ID, so it shows to whom that shows.
 */
export function offerTasks(mcp: McpServer, parts: ReadingParts): void {
  const { server } = mcp;
  declareTasks(mcp);
  server.setRequestHandler('tasks/get', { params: OfTask }, ({ taskId }, ctx) => {
    requireTasks(ctx);
    return answerRead(parts, ctx, async (reading) => {
      const { task, end } = await findTask(taskId, reading);
      return { ...task, ...(await end?.()) };
    });
  });
  server.setRequestHandler('tasks/update', { params: OfTask }, ({ taskId }, ctx) => {
    requireTasks(ctx);
    return answerRead(parts, ctx, async (reading) => {
      await answerTask(taskId, Answers.parse(ctx.mcpReq.inputResponses), reading);
      return {};
    });
  });
  server.setRequestHandler('tasks/cancel', { params: OfTask }, ({ taskId }, ctx) => {
    requireTasks(ctx);
    return answerRead(parts, ctx, async (reading) => {
      await cancelTask(taskId, reading);
      return {};
    });
  });
}
