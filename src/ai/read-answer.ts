import { z } from 'zod';
import { brokenBound } from '../platform/json-size.ts';

export type ReadAnswer<Answer> =
  | { readonly state: 'read'; readonly answer: Answer }
  /** `problem` is sent to the model. */
  | { readonly state: 'not_json'; readonly problem: string }
  | { readonly state: 'wrong_shape'; readonly problem: string };

/** Parses a model's text as the expected answer, also inside code fences and prose. */
export function readAnswer<Answer>(text: string, schema: z.ZodType<Answer>): ReadAnswer<Answer> {
  const json = findJson(text);
  if (json === undefined) return { state: 'not_json', problem: 'There is no whole JSON object in it.' };
  if (brokenBound(json, BOUNDS)) return { state: 'wrong_shape', problem: 'It is nested too deeply.' };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { state: 'read', answer: parsed.data };
  const again = schema.safeParse(withoutNulls(json, parsed.error));
  if (again.success) return { state: 'read', answer: again.data };
  const filled = schema.safeParse(withEmpty(withoutNulls(json, parsed.error), json, again.error));
  if (filled.success) return { state: 'read', answer: filled.data };
  return { state: 'wrong_shape', problem: z.prettifyError(again.error).slice(0, MAX_PROBLEM_CHARS) };
}

const MAX_PROBLEM_CHARS = 2000;
/** Deeper than any answer, and shallow enough for recursion. */
const BOUNDS = { levels: 100, chars: Number.POSITIVE_INFINITY };

/** In strict modes models write null for omitted fields; drops each null that the schema rejects. */
function withoutNulls(json: unknown, { issues }: z.ZodError): unknown {
  const copy: unknown = structuredClone(json);
  for (const { path } of issues) {
    const owner = path.slice(0, -1).reduce<unknown>(memberOf, copy);
    const last = path.at(-1);
    if (last === undefined || typeof owner !== 'object' || owner === null || Array.isArray(owner)) continue;
    if (memberOf(owner, last) === null) Reflect.deleteProperty(owner, last);
  }
  return copy;
}

/** Other models write null for a text or a list that is empty; puts it where the schema misses what was null. */
function withEmpty(copy: unknown, written: unknown, { issues }: z.ZodError): unknown {
  for (const issue of issues) {
    const owner = issue.path.slice(0, -1).reduce<unknown>(memberOf, copy);
    const last = issue.path.at(-1);
    if (last === undefined || typeof owner !== 'object' || owner === null) continue;
    if (issue.code !== 'invalid_type' || issue.path.reduce<unknown>(memberOf, written) !== null) continue;
    if (issue.expected === 'string') Reflect.set(owner, last, '');
    if (issue.expected === 'array') Reflect.set(owner, last, []);
  }
  return copy;
}

function memberOf(owner: unknown, name: PropertyKey): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined;
}

/**
 * The JSON object of a text: the text itself, or its first complete object outside reasoning (`<think>`). Undefined when
 * there is none.
 */
export function findJson(text: string): unknown {
  const said = withoutReasoning(text).trim();
  const whole = parse(said);
  if (whole !== undefined) return whole;
  let start = said.indexOf('{');
  for (let tries = 0; start >= 0 && tries < MAX_ATTEMPTS; tries++) {
    const end = endOfObject(said, start);
    const object = end === undefined ? undefined : parse(said.slice(start, end));
    if (object !== undefined) return object;
    start = said.indexOf('{', start + 1);
  }
  return undefined;
}

/** Each attempt scans the rest of the text, so a text of braces alone needs a limit. */
const MAX_ATTEMPTS = 50;

function withoutReasoning(text: string): string {
  let kept = '';
  let at = 0;
  for (let open = text.indexOf('<think>'); open >= 0; open = text.indexOf('<think>', at)) {
    const close = text.indexOf('</think>', open);
    if (close < 0) break;
    kept += text.slice(at, open);
    at = close + '</think>'.length;
  }
  return kept + text.slice(at);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The end of the object that starts at `start`, ignoring braces in strings. One pass over any text. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (quoted && sign === '\\') at++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === '{') depth++;
    else if (!quoted && sign === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
