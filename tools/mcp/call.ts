import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Locale, Reader } from '../../src/language.ts';
import { databaseFault } from '../../src/platform/database/database-fault.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Call, Tool } from '../contract/define.ts';
import { deliverByLink } from '../contract/delivered.ts';
import { invoke } from '../contract/invoke.ts';
import { logFault } from '../contract/log-fault.ts';
import { asFault } from '../contract/problem.ts';
import { createProgress } from '../contract/progress.ts';
import { isForApps } from '../contract/registry.ts';
import { answerForApp, shownId } from './apps/answer-for-app.ts';
import type { Choice } from './catalog.ts';
import { createAsking, InputNeeded, offerPage, type Reach } from './confirm.ts';
import { createEnclosures, type Enclosures, enclosing } from './enclosures.ts';
import { answerWithin, innermost } from './page-cut.ts';
import { protocolError } from './protocol-error.ts';
import { refusal } from './refusal.ts';
import type { Selection } from './selection.ts';
import { leaveSlowCall } from './slow-call.ts';
import { begunTask, withoutWait } from './tasks/begun-task.ts';
import { createTask } from './tasks/create-task.ts';
import { endedTask } from './tasks/ended-task.ts';
import { hasEnded, type TaskForm } from './tasks/task.ts';
import { modelCall } from './visit-call.ts';

/** The caller of one MCP request, and its options. */
export type Visit = {
  readonly caller: Caller;
  readonly locale: Locale;
  /** Which tools the request lets itself use. */
  readonly selections?: readonly Selection[];
  /** Address of the server as the caller reaches it, for the links it answers. */
  readonly baseUrl: string;
  /** Unset where a connection brings many calls: each then gets an id of its own. */
  readonly requestId?: string | undefined;
};

/** A visit, and how its messages name what it can call. */
export type Conversation = Visit & Reader;

export type CallParts = {
  readonly app: App;
  readonly log: Log;
  /** The tools that the conversation may use. */
  readonly choice: Choice;
  /** The client shows apps. */
  readonly apps: boolean;
  /** How the client is answered with a task; undefined where it knows none. */
  readonly tasks: TaskForm | undefined;
  /** How the client can ask a person. */
  readonly reach: Reach;
  /** After how many milliseconds a call of a `job` tool becomes a job. */
  readonly slowCallMs?: number | undefined;
};

/** Runs a tool for an MCP request through `invoke`, and converts the output to an MCP result. */
export function callTool(
  tool: Tool,
  sent: unknown,
  visit: Conversation,
  ctx: ServerContext,
  parts: CallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
  };
  const options = { kind: 'server', attributes, parent: ctx.mcpReq._meta?.['traceparent'] } as const;
  return parts.app.tracing.span(`tools/call ${tool.name}`, options, async (span) => {
    const result = await answerTool(tool, sent, visit, ctx, parts);
    if ('isError' in result && result.isError) span.fail('tool_error');
    return result;
  });
}

function answerTool(
  tool: Tool,
  sent: unknown,
  visit: Conversation,
  ctx: ServerContext,
  parts: CallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const { app, log, choice, reach } = parts;
  return guarded(tool.name, visit, ctx, parts, async (requestId) => {
    const { progress, settled } = createProgress(progressSender(ctx));
    const request = leavableRequest(ctx.mcpReq.signal, progress);
    const files = createEnclosures();
    const deliver = enclosing(deliverByLink(app, visit.caller, visit.baseUrl), files);
    const { signal, progress: report } = request;
    const call = modelCall(
      { app, log, visit, choice, requestId },
      { signal, progress: report, deliver, ask: createAsking(app, visit, ctx, reach) },
    );
    try {
      const task = parts.tasks && (await createTask(tool, sent, call, { choice, reach }));
      if (task) return parts.tasks.answer(task);
      const args = parts.tasks ? withoutWait(tool, sent) : sent;
      const outcome = invoke(tool, args, call).then(({ output }) => output);
      const declared = choice.declares(tool, visit.caller);
      const left =
        !parts.tasks?.isAsked &&
        (await leaveSlowCall(tool, args, { outcome, declared, ...request }, visit, parts));
      if (left) return left;
      return await answerCall(innermost(tool, args, await outcome), {
        tool,
        visit,
        call,
        declared,
        files,
        parts,
      });
    } finally {
      await settled();
    }
  });
}

type Ran = {
  /** The tool that the client called. */
  readonly tool: Tool;
  readonly visit: Conversation;
  readonly call: Call;
  readonly declared: boolean;
  readonly files: Enclosures;
  readonly parts: CallParts;
};

/** The answer to a call that has run. */
async function answerCall(
  answered: ReturnType<typeof innermost>,
  { tool, visit, call, declared, files, parts }: Ran,
): Promise<CallToolResult> {
  const { app, choice, apps, tasks } = parts;
  const { output } = answered;
  if (isForApps(tool)) return answerForApp(output, call);
  const begun = tasks && (await begunTask(answered, { app, visit, choice, asModel: call }));
  if (begun && (tasks.isAsked || !hasEnded(begun))) return tasks.answer(begun);
  if (tasks?.isAsked) return tasks.answer(await endedTask(answered, visit, app));
  const { content, ...rest } = await answerWithin(answered, declared, call);
  return { ...rest, ...(apps ? shownId(tool, output) : {}), content: [...content, ...files.content()] };
}

/** A request that ends its call and receives its progress, until the call leaves it. */
function leavableRequest(signal: AbortSignal, progress: Call['progress']) {
  const controller = new AbortController();
  const cancel = () => controller.abort(signal.reason);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  let report = progress;
  return {
    signal: controller.signal,
    progress: ((...state) => report(...state)) satisfies Call['progress'],
    cancel: () => controller.abort(),
    leave(to: Call['progress']): void {
      signal.removeEventListener('abort', cancel);
      report = to;
    },
  };
}

/** Answers what `run` throws as an error the model can read; only errors of the protocol stay such. */
export async function guarded<R extends CallToolResult | InputRequiredResult>(
  tool: string,
  visit: Conversation,
  ctx: ServerContext,
  { log, reach, tasks }: Pick<CallParts, 'log' | 'reach'> & Partial<Pick<CallParts, 'tasks'>>,
  run: (requestId: string) => Promise<R>,
): Promise<R | CallToolResult | InputRequiredResult> {
  const requestId = visit.requestId ?? newId('req');
  try {
    return await run(requestId).catch((error: unknown) => {
      throw error instanceof Fault ? offerPage(error, visit.locale, ctx, reach) : error;
    });
  } catch (error) {
    if (error instanceof InputNeeded) return error.result;
    if (error instanceof ProtocolError) throw error;
    const fault = databaseFault(error) ?? asFault(error);
    // The client of a canceled call no longer waits, and its end is not our fault.
    if (!ctx.mcpReq.signal.aborted) logFault(log, fault, { tool, request_id: requestId });
    // The answer to who asked for a task is a task, or an error of the protocol.
    if (tasks?.isAsked) throw protocolError(fault, visit);
    return refusal(fault, visit, requestId);
  }
}

function progressSender(ctx: ServerContext): Parameters<typeof createProgress>[0] {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => Promise.resolve();
  return (notice) =>
    ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...notice } });
}
