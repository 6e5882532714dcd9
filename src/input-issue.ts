import type { z } from 'zod';
import type { FaultParams, IssueKey } from './errors.ts';

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
      return wrongType(issue.expected, issue.input);
    case 'invalid_value':
      return { key: 'options', params: { options: issue.values.map(String).join(', ') } };
    case 'unrecognized_keys':
      return issue.path?.length
        ? { key: 'unknown_within', params: { names: issue.keys.join(', ') } }
        : { key: 'unknown' };
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

function wrongType(expected: string, input: unknown): InputIssue | undefined {
  if (input === undefined) return { key: 'required' };
  const key = TYPES[expected];
  return key && { key };
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
