import { ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import { databaseFault } from '../../src/platform/database/database-fault.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Call } from '../contract/define.ts';
import { deliverByLink } from '../contract/delivered.ts';
import { invoke } from '../contract/invoke.ts';
import { logFault } from '../contract/log-fault.ts';
import { asFault } from '../contract/problem.ts';
import type { Conversation, Visit } from './call.ts';
import type { Catalogue, Choice } from './catalog.ts';
import { protocolError } from './protocol-error.ts';

type CallParts = {
  readonly app: App;
  readonly log: Log;
  readonly visit: Conversation;
  readonly choice: Choice;
  readonly requestId: string;
};

/** The call of a model, as every tool that an MCP request runs gets it; `more` is what the request adds. */
export function modelCall(
  { app, log, visit: { caller, locale, voice, baseUrl }, choice, requestId }: CallParts,
  more: Pick<Call, 'signal'> & Partial<Pick<Call, 'progress' | 'deliver' | 'ask'>>,
): Call {
  return {
    app,
    caller,
    locale,
    voice,
    baseUrl,
    requestId,
    log,
    progress: () => {},
    text: () => {},
    deliver: deliverByLink(app, caller, baseUrl),
    byModel: true,
    reaches: choice.reaches,
    sourceOf: () => 'arguments',
    ...more,
  };
}

/** Calls a tool for a request that is not a call itself, such as reading a resource or completing a word. */
export type CallTool = (
  name: string,
  input: Readonly<Record<string, unknown>>,
  more?: Partial<Pick<Call, 'deliver'>>,
) => Promise<unknown>;

/** The needs of requests that read: who sent one, and which tools it may use. */
export type ReadingParts = {
  readonly app: App;
  readonly log: Log;
  readonly catalogue: Catalogue;
  readonly visitOf: (ctx: ServerContext) => Visit;
  readonly choiceOf: (visit: Visit) => Choice;
};

/** One request that reads, with the tools it may use by the road of every call: scopes, rate limits and log. */
export type Reading = {
  readonly app: App;
  readonly visit: Conversation;
  readonly choice: Choice;
  /** @throws Fault of the tool; not_found for one that the conversation may not use */
  readonly call: CallTool;
  /** As the model makes its calls. */
  readonly asModel: Call;
};

/**
 * Answers a request that reads. Its result has no place for an error, so what `run` throws becomes one of the protocol:
 * a fault in its own words, anything else without its cause, which is for the log.
 * @throws ProtocolError
 */
export async function answerRead<R>(
  { app, log, visitOf, choiceOf }: ReadingParts,
  ctx: ServerContext,
  run: (reading: Reading) => Promise<R> | R,
): Promise<R> {
  const found = visitOf(ctx);
  const choice = choiceOf(found);
  const visit = { ...found, voice: choice.voiceFor(found) };
  const { requestId = newId('req') } = visit;
  try {
    return await run(readingFor({ app, log }, { visit: { ...visit, requestId }, choice }, ctx.mcpReq.signal));
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const fault = databaseFault(error) ?? asFault(error);
    // The client of a canceled request no longer waits, and its end is not our fault.
    if (!ctx.mcpReq.signal.aborted)
      logFault(log, fault, { method: ctx.mcpReq.method, request_id: requestId });
    throw protocolError(fault, visit);
  }
}

/** What reads for a conversation, until the signal. */
export function readingFor(
  { app, log }: Pick<ReadingParts, 'app' | 'log'>,
  { visit, choice }: Pick<Reading, 'visit' | 'choice'>,
  signal: AbortSignal,
): Reading {
  const parts = { app, log, visit, choice, requestId: visit.requestId ?? newId('req') };
  const call: CallTool = async (name, input, more) => {
    const tool = choice.find(name);
    if (!tool) throw new Fault('not_found.tool', { name });
    return (await invoke(tool, input, modelCall(parts, { signal, ...more }))).output;
  };
  return { app, visit, choice, call, asModel: modelCall(parts, { signal }) };
}
