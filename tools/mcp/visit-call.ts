import type { ServerContext } from '@modelcontextprotocol/server';
import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Call } from '../contract/define.ts';
import { deliverByLink } from '../contract/delivered.ts';
import { invoke } from '../contract/invoke.ts';
import type { Conversation, Visit } from './call.ts';
import type { Catalogue, Choice } from './catalog.ts';

/** Calls a tool on behalf of a request that is no call itself: it reads a resource, or completes a word. */
export type CallTool = (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** What requests that read need: who sent one, and which tools it may use. */
export type ReadingParts = {
  readonly app: App;
  readonly log: Log;
  readonly catalogue: Catalogue;
  readonly visitOf: (ctx: ServerContext) => Visit;
  readonly choiceOf: (visit: Visit) => Choice;
};

/**
 * One such request, with the tools it may use by the road of every call: scopes, rate limits and log.
 * @throws Fault of the tool; not_found for one that the conversation may not use
 */
export function openVisit(
  { app, log, visitOf, choiceOf }: ReadingParts,
  ctx: ServerContext,
  deliver?: Call['deliver'],
): { readonly visit: Conversation; readonly choice: Choice; readonly call: CallTool } {
  const found = visitOf(ctx);
  const choice = choiceOf(found);
  const visit = { ...found, voice: choice.voiceFor(found) };
  const { caller, locale, voice, baseUrl, requestId = newId('req') } = visit;
  const call: Call = {
    app,
    caller,
    locale,
    voice,
    baseUrl,
    requestId,
    log,
    signal: ctx.mcpReq.signal,
    progress: () => {},
    text: () => {},
    deliver: deliver ?? deliverByLink(app, caller, baseUrl),
    byModel: true,
    reaches: choice.reaches,
    sourceOf: () => 'arguments',
  };
  return {
    visit,
    choice,
    async call(name, input) {
      const tool = choice.find(name);
      if (!tool) throw new Fault('not_found.tool', { name });
      return (await invoke(tool, input, call)).output;
    },
  };
}
