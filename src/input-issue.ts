import type { z } from 'zod';
import type { FaultParams, IssueKey } from './errors.ts';
import { closest } from './platform/closest.ts';

type InputIssue = { readonly key: IssueKey; readonly params?: FaultParams };
type Issue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, IssueKey>> = {
  string: 'string',
  number: 'number',
  int: 'int',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  record: 'object',
};

const FORMATS: Readonly<Record<string, IssueKey>> = { email: 'email', datetime: 'datetime', url: 'url' };

/** Maps a zod issue to a sentence in `issues` of the locales; undefined if only zod's own message fits. */
export function inputIssue(issue: Issue): InputIssue | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'invalid_value':
      return { key: 'options', params: { options: issue.values.map(String).join(', ') } };
    case 'unrecognized_keys':
      return issue.path?.length
        ? { key: 'unknown_within', params: { names: issue.keys.join(', ') } }
        : unknownField(issue.keys, fieldsOf(issue.inst));
    case 'too_big':
      return beyond({ string: 'max_chars', array: 'max_items' }, 'max', issue, issue.maximum);
    case 'too_small':
      return beyond({ string: 'min_chars', array: 'min_items' }, 'min', issue, issue.minimum);
    case 'invalid_format':
      return wrongFormat(issue.format);
    case 'not_multiple_of':
      return { key: 'multiple_of', params: { limit: Number(issue.divisor) } };
    default:
      return undefined;
  }
}

// With more, a list of them no longer helps.
const MOST_FIELDS = 12;

/** Names the field that was probably meant, or those that there are. */
function unknownField(names: readonly string[], fields: readonly string[]): InputIssue {
  const [name = '', ...others] = names;
  const suggestion = others.length === 0 ? closest(name, fields) : undefined;
  if (suggestion !== undefined) return { key: 'unknown_close', params: { suggestion } };
  return fields.length === 0 || fields.length > MOST_FIELDS
    ? { key: 'unknown' }
    : { key: 'unknown_of', params: { fields: fields.join(', ') } };
}

/** The fields of the schema that refused. */
function fieldsOf(schema: unknown): string[] {
  const shape = (schema as { shape?: object } | undefined)?.shape;
  return Object.keys(shape ?? {});
}

function wrongType({ expected, input, inst, path = [] }: WrongType): InputIssue | undefined {
  if (input === undefined) return { key: 'required' };
  const key = TYPES[expected];
  const shape = key === 'object' && path.length > 0 ? shapeOf(inst) : undefined;
  return shape === undefined ? key && { key } : { key: 'object_of', params: { shape } };
}

type WrongType = Extract<Issue, { code: 'invalid_type' }>;

/** `{"start": …, "end": …}`: the fields that an object needs, or those that it may have; undefined where there are many. */
function shapeOf(schema: unknown): string | undefined {
  const fields = Object.entries((schema as { shape?: Readonly<Record<string, z.ZodType>> }).shape ?? {});
  const needed = fields.filter(([, field]) => field._zod.optin !== 'optional');
  const shown = needed.length > 0 ? needed : fields;
  if (shown.length === 0 || shown.length > MOST_FIELDS) return undefined;
  return `{${shown.map(([name]) => `"${name}": …`).join(', ')}}`;
}

function wrongFormat(format: string): InputIssue | undefined {
  const key = FORMATS[format];
  return key && { key };
}

type Bound = { readonly origin?: string | undefined; readonly inclusive?: boolean | undefined };

function beyond(
  sized: Readonly<Record<string, IssueKey>>,
  plain: IssueKey,
  { origin = '', inclusive }: Bound,
  limit: number | bigint,
): InputIssue | undefined {
  if (inclusive === false) return undefined;
  const key = sized[origin] ?? (['number', 'int'].includes(origin) ? plain : undefined);
  return key && (Number(limit) === 1 ? forOne(key) : { key, params: { limit: Number(limit) } });
}

const FOR_ONE: Partial<Record<IssueKey, IssueKey>> = {
  max_chars: 'max_one_char',
  max_items: 'max_one_item',
  min_chars: 'not_empty',
  min_items: 'not_empty',
};

/** A limit of one, which has its own words. */
function forOne(key: IssueKey): InputIssue {
  const words = FOR_ONE[key];
  return words ? { key: words } : { key, params: { limit: 1 } };
}
