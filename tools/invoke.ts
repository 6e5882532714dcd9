import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { Fault, type FaultDetail, type FaultKey } from '../src/errors.ts';
import { parserErrors } from '../src/language.ts';
import { brokenBound, findNonText } from '../src/platform/json-size.ts';
import type { Call, Tool } from './define.ts';

type Answer = {
  readonly output: unknown;
  /** True when an earlier call with the same idempotency key had already made this answer. */
  readonly replayed: boolean;
};

/**
 * The only road to an operation: parse, scope, idempotency, run, parse the output, one log line.
 * @throws Fault for everything a caller may be told; anything else is a fault of ours.
 */
export async function invoke(tool: Tool, raw: unknown, call: Call): Promise<Answer> {
  return logged(tool, call, async () => {
    const input = parseInput(tool.input, raw, call);
    demandScope(tool, call);
    const run = async () => tool.output.parse(await tool.run(input, call));
    if (tool.effect === 'read' || call.idempotencyKey === undefined)
      return { output: await run(), replayed: false };
    return call.app.idempotency.once(
      call.caller.accountId,
      call.idempotencyKey,
      fingerprint(tool, input),
      run,
    );
  });
}

/** The same road for the newline-delimited form of a tool; rows are parsed by the tool, one by one. */
export async function* invokeLines(
  lines: NonNullable<Tool['lines']>,
  tool: Tool,
  raw: unknown,
  rows: AsyncIterable<unknown>,
  call: Call,
): AsyncIterable<unknown> {
  const line = logLine(tool, call);
  try {
    const input = parseInput(lines.input, raw, call);
    demandScope(tool, call);
    yield* lines.run(input, rows, call);
  } catch (error) {
    if (error instanceof Fault) line.code = error.key;
    throw error;
  } finally {
    line.write();
  }
}

// Deeper than any template reaches, and far from where recursion fails. Sizes are the doors' and the domains' matter.
const INPUT_BOUNDS = { levels: 100, chars: Number.POSITIVE_INFINITY };

function parseInput(schema: z.ZodObject, raw: unknown, call: Call): never {
  if (brokenBound(raw, INPUT_BOUNDS))
    throw new Fault('validation_failed.levels', { limit: INPUT_BOUNDS.levels });
  if (findNonText(raw) !== undefined) throw new Fault('validation_failed.not_text');
  const parsed = schema.safeParse(raw, { error: parserErrors(call.locale) });
  // The tool's own type says what its run takes; the registry cannot, so the parsed value goes on as `never`.
  if (parsed.success) return parsed.data as never;
  const errors = parsed.error.issues.flatMap((issue) => details(issue, call));
  throw new Fault('validation_failed.input', { summary: summary(errors) }, { errors });
}

function details(issue: z.core.$ZodIssue, call: Call): FaultDetail[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return issue.keys.map((key) => ({
      loc: [call.sourceOf(key), key],
      msg: issue.message,
      type: issue.code,
    }));
  }
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  const source = path[0] === undefined ? call.sourceOf('') : call.sourceOf(String(path[0]));
  return [{ loc: [source, ...path], msg: issue.message, type: issue.code }];
}

function summary(errors: readonly FaultDetail[]): string {
  return errors
    .slice(0, 3)
    .map(
      (error) => `${error.loc.slice(1).join('.') || error.loc[0]}: ${'msg' in error ? error.msg : error.key}`,
    )
    .join('; ');
}

function demandScope(tool: Tool, call: Call): void {
  if (tool.scope === 'any' || call.caller.scopes.includes(tool.scope)) return;
  throw new Fault('insufficient_scope.key', { scope: tool.scope, tool: tool.name });
}

function fingerprint(tool: Tool, input: unknown): string {
  return createHash('sha256')
    .update(`${tool.name}\n${JSON.stringify(input)}`)
    .digest('hex');
}

async function logged(tool: Tool, call: Call, run: () => Promise<Answer>): Promise<Answer> {
  const line = logLine(tool, call);
  try {
    const answer = await run();
    line.write();
    return answer;
  } catch (error) {
    if (error instanceof Fault) {
      line.code = error.key;
      line.write();
    }
    throw error;
  }
}

/** The line a call leaves in the log, with how long it took until it is written. */
function logLine(tool: Tool, { caller, log, requestId }: Call) {
  const start = performance.now();
  return {
    code: undefined as FaultKey | undefined,
    write() {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const who = { account: caller.accountId, via: caller.via, request_id: requestId };
      log.info({ tool: tool.name, ...who, ms, ...(this.code && { code: this.code }) }, 'call');
    },
  };
}
