import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { App } from '../src/app.ts';
import type { Caller } from '../src/identity/caller.ts';
import type { Locale } from '../src/language.ts';
import { databaseFault } from '../src/platform/database/database.ts';
import { newId } from '../src/platform/ids.ts';
import type { Log } from '../src/platform/log.ts';
import type { Call, Tool, Toolset } from './define.ts';
import { deliverByLink } from './delivered.ts';
import { invoke } from './invoke.ts';
import { logFault } from './log-fault.ts';
import { answer, refusal } from './mcp-answer.ts';
import { createEnclosures } from './mcp-enclosures.ts';
import { asFault } from './problem.ts';
import { createProgress } from './progress.ts';

/** Who stands at the door with one request, and what they asked for. */
export type Visit = {
  readonly caller: Caller;
  readonly locale: Locale;
  /** Toolsets to list instead of the usual tools. */
  readonly toolsets?: readonly Toolset[] | undefined;
  /** Address of the server as the caller reaches it, for the links it answers. */
  readonly baseUrl: string;
  /** Unset where a connection brings many calls: each then gets an id of its own. */
  readonly requestId?: string | undefined;
};

/** Runs a tool for an MCP request: the same road as every door, then the answer in MCP's words. */
export function callTool(
  tool: Tool,
  args: unknown,
  visit: Visit,
  ctx: ServerContext,
  { app, log }: { readonly app: App; readonly log: Log },
): Promise<CallToolResult> {
  return guarded(tool.name, visit, ctx, log, async (requestId) => {
    const { progress, settled } = createProgress(progressSender(ctx));
    const files = createEnclosures(deliverByLink(app, visit.caller, visit.baseUrl));
    const call: Call = {
      app,
      caller: visit.caller,
      signal: ctx.mcpReq.signal,
      log,
      requestId,
      locale: visit.locale,
      baseUrl: visit.baseUrl,
      progress,
      text: () => {},
      deliver: files.deliver,
      byModel: true,
      sourceOf: () => 'arguments',
    };
    try {
      const { output } = await invoke(tool, args, call);
      const { content, ...rest } = answer(tool, output, visit.locale);
      return { ...rest, content: [...content, ...files.content()] };
    } finally {
      await settled();
    }
  });
}

/** Answers what `run` throws as an error the model can read; only errors of the protocol stay such. */
export async function guarded<R extends CallToolResult | InputRequiredResult>(
  tool: string,
  visit: Visit,
  ctx: ServerContext,
  log: Log,
  run: (requestId: string) => Promise<R> | R,
): Promise<R | CallToolResult> {
  const requestId = visit.requestId ?? newId('req');
  try {
    return await run(requestId);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const fault = databaseFault(error) ?? asFault(error);
    // Nobody waits for the answer to a call that was cancelled, and its end is no fault of ours.
    if (!ctx.mcpReq.signal.aborted) logFault(log, fault, { tool, request_id: requestId });
    return refusal(fault, visit.locale, requestId);
  }
}

function progressSender(ctx: ServerContext): Parameters<typeof createProgress>[0] {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => Promise.resolve();
  return (notice) =>
    ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...notice } });
}
