import type { Tool } from '../../contract/define.ts';
import type { Reading } from '../visit-call.ts';
import { WORK_KINDS } from './kinds.ts';
import { findTask } from './read-task.ts';
import type { Task } from './task.ts';

/** The task of work that a call has begun under an ID of its own, such as a video. */
export async function begunTask(
  { tool, output }: { readonly tool: Tool; readonly output: unknown },
  reading: Omit<Reading, 'call'>,
): Promise<Task | undefined> {
  const kind = WORK_KINDS.find(({ begunBy }) => begunBy.includes(tool.name));
  // The conversation has to be able to ask for it.
  if (!kind || !reading.choice.find(kind.read)) return undefined;
  // Each kind was written for the outputs of its tools.
  const id = kind.idOf(output as Readonly<Record<string, unknown>>);
  if (id === undefined) return undefined;
  return (await findTask(id, reading)).task;
}

/** The arguments of a call that begins such work: it is followed by its task, so the call itself need not wait. */
export function withoutWait(tool: Tool, args: unknown): unknown {
  const begins = WORK_KINDS.some(({ begunBy }) => begunBy.includes(tool.name));
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  if (!begins || !isObject || !('wait_seconds' in tool.input.shape)) return args;
  return { wait_seconds: 0, ...args };
}
