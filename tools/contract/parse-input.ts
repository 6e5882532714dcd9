import type { z } from 'zod';
import { Fault, type FaultDetail } from '../../src/errors.ts';
import { localizeInput, parserErrors } from '../../src/language.ts';
import { firstIssues } from '../../src/platform/first-issues.ts';
import { brokenBound, hasNonText } from '../../src/platform/json-size.ts';
import type { Call } from './define.ts';

// Deeper than any template needs, and far from where recursion fails. Transports and domains limit sizes.
const INPUT_BOUNDS = { levels: 100, chars: Number.POSITIVE_INFINITY };

type Where = Pick<Call, 'locale' | 'voice' | 'sourceOf'>;

/** Parses what a caller sent, and says in their language what is wrong with it. @throws Fault validation_failed */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  call: Where,
): z.output<Schema> {
  if (brokenBound(raw, INPUT_BOUNDS))
    throw new Fault('validation_failed.levels', { limit: INPUT_BOUNDS.levels });
  requireText(raw, call);
  const parsed = schema.safeParse(raw, { error: parserErrors(call.locale) });
  if (parsed.success) return parsed.data;
  const errors = firstIssues(parsed.error.issues).flatMap((issue) => details(issue, call));
  throw new Fault('validation_failed.input', { summary: summary(errors) }, { errors });
}

/** @throws Fault validation_failed.not_text that names the field with what is no text */
function requireText(raw: unknown, { sourceOf }: Where): void {
  if (!hasNonText(raw)) return;
  const key = 'validation_failed.not_text' as const;
  const fields = typeof raw === 'object' && raw !== null ? Object.entries(raw) : [];
  const [field] = fields.find(([name, value]) => !hasNonText(name) && hasNonText(value)) ?? [];
  const errors = field === undefined ? [] : [{ loc: [sourceOf(field), field], key }];
  throw new Fault(key, {}, { errors });
}

type Said = Extract<FaultDetail, { msg: string }>;

function details(issue: z.core.$ZodIssue, call: Where): Said[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return issue.keys.map((key) => ({
      loc: [call.sourceOf(key), key],
      msg: issue.message,
      type: issue.code,
    }));
  }
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  const source = path[0] === undefined ? call.sourceOf('') : call.sourceOf(String(path[0]));
  return [{ loc: [source, ...path], msg: localizeInput(messageOf(issue), call), type: issue.code }];
}

/** What is wrong with the key of a record is in an issue inside its issue. */
function messageOf(issue: z.core.$ZodIssue): string {
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return (inner ?? issue).message;
}

function summary(errors: readonly Said[]): string {
  return errors
    .slice(0, 3)
    .map(({ loc, msg }) => `${loc.slice(1).join('.') || loc[0]}: ${msg}`)
    .join('; ');
}
