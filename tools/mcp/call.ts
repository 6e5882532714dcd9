import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { App } from '../../src/app.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Locale } from '../../src/language.ts';
import { databaseFault } from '../../src/platform/database/database.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Call, Tool, Toolset } from '../contract/define.ts';
import { deliverByLink } from '../contract/delivered.ts';
import { invoke } from '../contract/invoke.ts';
import { logFault } from '../contract/log-fault.ts';
import { asFault } from '../contract/problem.ts';
import { createProgress } from '../contract/progress.ts';
import { createEnclosures } from './enclosures.ts';
import { answer, refusal } from './result.ts';

/** The caller of one MCP request, and its options. */
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

/** Runs a tool for an MCP request through `invoke`, and converts the output to an MCP result. */
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
    // The client of a canceled call no longer waits, and its end is not our fault.
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
