import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { databaseFault } from '../../src/platform/database/database-fault.ts';
import type { RateName } from '../../src/platform/rates.ts';
import { errorType } from '../../src/platform/tracing/error-type.ts';
import type { OpenSpan } from '../../src/platform/tracing/tracing.ts';
import { withoutAliases } from './aliases.ts';
import { AskedFirst } from './asked-first.ts';
import type { Call, RestTool, Tool } from './define.ts';
import { parseInput } from './parse-input.ts';
import { personRequired } from './person-required.ts';
import { asFault } from './problem.ts';
import { requireConfirmed, splitConfirmation } from './require-confirmed.ts';
import { requireScope } from './require-scope.ts';

type Answer = {
  readonly output: unknown;
  /** True when an earlier call with the same idempotency key had already made this answer. */
  readonly replayed: boolean;
};

/**
 * The only way to run an operation: scope, parse, person, plan, rate limit, confirmation, idempotency, run,
 * parse the output, one log line, one count.
 * @throws Fault for everything a caller may be told; anything else is a fault of ours.
 */
export async function invoke(tool: Tool, sent: unknown, call: Call): Promise<Answer> {
  const { tracing } = call.app;
  return tracing.span(tool.name, spanOf(tool, call), () => runTool(tool, sent, call));
}

async function runTool(tool: Tool, sent: unknown, call: Call): Promise<Answer> {
  return recorded(tool, call, async () => {
    requireScope(tool.name, tool.scope, call.caller);
    const { raw, confirmation } = splitConfirmation(tool, named(tool, sent), call);
    requireFields(tool, raw, call);
    const input = parseFor(tool.input, raw, call);
    requirePerson(tool, input, call);
    await requireApiAccess(tool, call);
    await limitRate(tool, call, tool.cost?.(input));
    await requireConfirmed(tool, input, confirmation, call);
    const run = async (effectKey = call.jobId) =>
      tool.output.parse(await tool.run(input, effectKey === undefined ? call : { ...call, effectKey }));
    if (tool.effect === 'read' || call.idempotencyKey === undefined)
      return { output: await run(), replayed: false };
    const print = fingerprint(tool, input);
    return call.app.idempotency.once(
      call.caller.accountId,
      call.idempotencyKey,
      print,
      run,
      // Written for this tool's output, which `run` has parsed.
      tool.idempotency?.keep as ((output: unknown) => unknown) | undefined,
    );
  });
}

/** The same road for the newline-delimited form of a tool; rows are parsed by the tool, one by one. */
export async function* invokeLines(
  lines: NonNullable<RestTool['rest']['lines']>,
  tool: Tool,
  raw: unknown,
  rows: AsyncIterable<unknown>,
  call: Call,
): AsyncIterable<unknown> {
  const record = openRecord(tool, call);
  const span = call.app.tracing.start(tool.name, spanOf(tool, call));
  let failure: unknown;
  try {
    requireScope(tool.name, tool.scope, call.caller);
    const input = parseFor(lines.input, named(tool, raw), call);
    await requireApiAccess(tool, call);
    await limitRate(tool, call);
    const made = lines.run(input, rows, call);
    yield* call.app.tracing.isOn ? within(span, made) : made;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    span.run(() => record(failure));
    if (failure !== undefined) span.fail(errorType(failure));
    span.end();
  }
}

/** A generator runs in the trace of who asks for its next row; these rows are made in the span. */
async function* within(span: OpenSpan, rows: AsyncIterable<unknown>): AsyncIterable<unknown> {
  const made = rows[Symbol.asyncIterator]();
  try {
    for (;;) {
      const row = await span.run(() => made.next());
      if (row.done) return;
      yield row.value;
    }
  } finally {
    await span.run(() => made.return?.());
  }
}

// The tool's own type says what its run takes; the registry cannot, so the parsed value goes on as `never`.
const parseFor = (schema: z.ZodObject, raw: unknown, call: Call) => parseInput(schema, raw, call) as never;

/** An input with its fields under their own names; what is no object is left to the parser. */
function named(tool: Tool, raw: unknown): unknown {
  const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
  return isObject ? withoutAliases(tool, { ...raw }) : raw;
}

const SHOWS_SOMETHING = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** @throws Fault the tool has for a field that is not there, or says nothing. */
function requireFields({ missing = {} }: Tool, raw: unknown, call: Call): void {
  for (const [field, key] of Object.entries(missing)) {
    const value: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, field) : undefined;
    const isThere =
      typeof value === 'string' ? SHOWS_SOMETHING.test(value) : value !== undefined && value !== null;
    if (!isThere) throw new Fault(key, {}, { errors: [{ loc: [call.sourceOf(field), field], key }] });
  }
}

/**
 * A dangerous operation is a person's: never a model's or a connected app's, and a session's only while it is fresh. An API key has passed by
 * its scope. @throws Fault person_required, reauthentication_required
 */
function requirePerson(tool: Tool, input: never, call: Call): void {
  const { name, dangerous } = tool;
  if (!dangerous || dangerous.when?.(input) === false) return;
  requireScope(name, dangerous.scope ?? 'any', call.caller);
  const { caller, byModel } = call;
  if (byModel || caller.via === 'oauth') throw personRequired(tool, call);
  if (caller.via === 'api_key' || caller.fresh) return;
  throw new Fault('reauthentication_required.session', { tool: name });
}

function fingerprint(tool: Tool, input: unknown): string {
  return createHash('sha256')
    .update(`${tool.name}\n${JSON.stringify(input)}`)
    .digest('hex');
}

async function recorded(tool: Tool, call: Call, run: () => Promise<Answer>): Promise<Answer> {
  const record = openRecord(tool, call);
  try {
    const answer = await run();
    record();
    return answer;
  } catch (error) {
    record(error);
    throw error;
  }
}

/** Counts and times a call when it ends, and leaves its line in the log. An unexpected error is logged where it is answered. */
function openRecord(tool: Tool, call: Call): (error?: unknown) => void {
  const start = performance.now();
  const { app, caller, log, requestId } = call;
  return (error) => {
    const ms = performance.now() - start;
    const labels = { operation: tool.name, transport: transportOf(call), outcome: outcomeOf(error, call) };
    app.metrics.call(labels, ms / 1000);
    if (error !== undefined && !(error instanceof Fault)) return;
    const who = { account: caller.accountId, via: caller.via, request_id: requestId };
    const code = error && { code: error.key };
    log.info({ tool: tool.name, ...who, ms: Math.round(ms * 10) / 10, ...code }, 'call');
  };
}

/** What a span of the call has; the log has the same ids. */
function spanOf(tool: Tool, call: Call) {
  const { caller, requestId } = call;
  return {
    attributes: {
      'stallhand.tool': tool.name,
      'stallhand.transport': transportOf(call),
      'stallhand.account': caller.accountId,
      'stallhand.via': caller.via,
      'stallhand.request_id': requestId,
    },
  };
}

function transportOf({ jobId, byModel }: Call): string {
  if (jobId !== undefined) return 'job';
  return byModel ? 'mcp' : 'rest';
}

/** One of a short list: callers choose none of it. */
function outcomeOf(error: unknown, { signal }: Call): string {
  if (error === undefined) return 'ok';
  if (error instanceof AskedFirst) return 'asked';
  if (signal.aborted && !(error instanceof Fault)) return 'canceled';
  return (databaseFault(error) ?? asFault(error)).code;
}

/**
 * A key that an account made for itself is used for the apps that its plan opens to programs. Other credentials need no
 * plan for that, nor does what carries no plan at all.
 * @throws Fault plan_required
 */
async function requireApiAccess({ toolset }: Tool, { app, caller }: Call): Promise<void> {
  if (!caller.byPlan || (toolset !== 'hooks' && toolset !== 'sync')) return;
  await app.entitlements.requireApi(caller.accountId, toolset);
}

/**
 * Counts a call against the limit of its kind, as one or as so many. The local owner has none, and a job was counted when it was asked for.
 * @throws Fault rate_limited.calls
 */
async function limitRate(tool: Tool, { app, caller, jobId, limited }: Call, cost?: number): Promise<void> {
  if (caller.via === 'local' || jobId !== undefined) return;
  await app.rateLimits.requireWithin(rateOf(tool, caller), caller.visitor ?? caller.accountId, limited, cost);
}

function rateOf({ rate, effect }: Tool, { via }: Caller): RateName {
  if (via === 'anonymous') return rate === 'generate' ? 'anonymous_generate' : 'public';
  return rate ?? (effect === 'read' ? 'read' : 'write');
}
