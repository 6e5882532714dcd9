import { z } from 'zod';
import { brokenBound } from '../platform/json-size.ts';
import { findJson } from './find-json.ts';

export type ReadAnswer<Answer> =
  | { readonly state: 'read'; readonly answer: Answer }
  /** `problem` is told to the model. */
  | { readonly state: 'not_json'; readonly problem: string }
  | { readonly state: 'wrong_shape'; readonly problem: string };

/** Reads a model's text as the answer it should be, also out of fences and prose. */
export function readAnswer<Answer>(text: string, schema: z.ZodType<Answer>): ReadAnswer<Answer> {
  const json = findJson(text);
  if (json === undefined) return { state: 'not_json', problem: 'There is no whole JSON object in it.' };
  if (brokenBound(json, BOUNDS)) return { state: 'wrong_shape', problem: 'It is nested too deeply.' };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { state: 'read', answer: parsed.data };
  const again = schema.safeParse(withoutNulls(json, parsed.error));
  if (again.success) return { state: 'read', answer: again.data };
  return { state: 'wrong_shape', problem: z.prettifyError(again.error).slice(0, MAX_PROBLEM_CHARS) };
}

const MAX_PROBLEM_CHARS = 2000;
/** Far deeper than any answer, and far from where recursion fails. */
const BOUNDS = { levels: 100, chars: Number.POSITIVE_INFINITY };

/** Strict modes have a model write null for what it leaves out; where the schema refuses a null, it is left out. */
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

function memberOf(owner: unknown, name: PropertyKey): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined;
}
