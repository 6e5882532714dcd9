import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import { localizeWarning } from '../../src/language.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Call, Tool } from '../contract/define.ts';
import type { Conversation } from './call.ts';

/** How long a client waits for work that can take long; many give up after 30 or 60 seconds. */
const SLOW_CALL_MS = 20_000;

const JsonInput = z.record(z.string(), z.json());

/** A call as it runs, which can go on without the request that began it. */
export type RunningCall = {
  readonly outcome: Promise<unknown>;
  readonly cancel: () => void;
  /** The client was shown the schema of the tool's structured content. */
  readonly declared: boolean;
  /** From now on progress goes there, and the end of the request no longer ends the call. */
  readonly leave: (progress: Call['progress']) => void;
};

type SlowCallParts = {
  readonly app: Pick<App, 'jobs'>;
  readonly log: Log;
  readonly slowCallMs?: number | undefined;
};

/**
 * Waits for a call of a `job` tool. What is not done in time becomes a job that the client can ask for, and goes on.
 * Undefined when it has ended, or cannot become one: then there is only its outcome to wait for.
 */
export async function leaveSlowCall(
  tool: Tool,
  args: unknown,
  running: RunningCall,
  visit: Conversation,
  { app, log, slowCallMs = SLOW_CALL_MS }: SlowCallParts,
): Promise<CallToolResult | undefined> {
  const { tool: work, input: sent } = tool.inner?.(args) ?? { tool, input: args };
  if (!work.job || !(await isSlow(running.outcome, slowCallMs))) return undefined;
  const { caller, locale, baseUrl } = visit;
  // The answer of the tool called for, also where another one ran it.
  const outcome = running.outcome.then((output) => (tool.inner ? Ran.parse(output).output : output));
  // Where it becomes no job, its end is heard of by the request.
  outcome.catch(() => {});
  const input = JsonInput.safeParse(sent).data ?? {};
  const adopted = await app.jobs
    .adopt(caller, { tool: work.name, input, locale, baseUrl }, { outcome, cancel: running.cancel })
    .catch((error: unknown) => {
      log.warn({ err: error, tool: work.name }, 'a slow call did not become a job');
    });
  if (!adopted) return undefined;
  running.leave(adopted.progress);
  const { id } = adopted.job;
  const { message } = localizeWarning({ key: 'call_goes_on', params: { id, tool: work.name } }, visit);
  const structuredContent = running.declared ? { structuredContent: { job_id: id } } : {};
  return { content: [{ type: 'text', text: message }], ...structuredContent };
}

const Ran = z.object({ output: z.unknown() });

async function isSlow(outcome: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const ended = outcome.then(
    () => false,
    () => false,
  );
  const late = delay(ms, true, { signal: timer.signal }).catch(() => false);
  const isLate = await Promise.race([ended, late]);
  timer.abort();
  return isLate;
}
