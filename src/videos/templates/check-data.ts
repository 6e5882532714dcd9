import type { z } from 'zod';
import { Fault, type FaultDetail, type FaultParams, type IssueKey } from '../../errors.ts';
import { inputIssue } from '../../input-issue.ts';
import { firstIssues } from '../../platform/first-issues.ts';
import { brokenBound } from '../../platform/json-size.ts';
import { LIMITS } from '../request.ts';
import {
  isObject,
  type JsonObject,
  mergeData,
  readDataSchema,
  schemaChoices,
  valuesIn,
} from './data-schema.ts';

/**
 * Merges the data over the template's defaults, then over the schema's defaults, and validates it.
 * @throws Fault validation_failed.video_data with a detail for each field, validation_failed.video_data_size,
 * validation_failed.video_data_values
 */
export type DataCheck = (template: string, defaults: JsonObject, data: JsonObject) => JsonObject;

const BOUNDS = { levels: 100, chars: LIMITS.dataBytes };
// Data is checked in the main thread: this is a tenth of a second when every value is tried with every choice.
const MAX_CHECKS = 50_000;
const MAX_DETAILS = 50;
const MAX_NAMED_FIELDS = 5;
const LOC = ['body', 'data'];

/** Compiles a schema once to check data many times. @throws Fault as `readDataSchema` */
export function createDataCheck(schema: JsonObject): DataCheck {
  const parser = readDataSchema(schema);
  const maxValues = Math.floor(MAX_CHECKS / (1 + schemaChoices(schema)));
  const { properties } = schema;
  const takesTitle = isObject(properties) && Object.hasOwn(properties, 'title');

  return (template, defaults, data) => {
    if (brokenBound(data, BOUNDS)) throw tooLarge();
    const { title, ...given } = mergeData(defaults, data);
    // Every video has a title, so a schema that allows only its own fields must not reject it.
    const whole = takesTitle ? { ...given, ...(title !== undefined && { title }) } : given;
    if (valuesIn(whole) > maxValues) throw tooMany(maxValues);
    const parsed = parser.safeParse(whole, { reportInput: true });
    if (!parsed.success) throw dataFault(template, firstIssues(parsed.error.issues));
    // The parser takes and adds only JSON.
    return { ...(title !== undefined && { title }), ...(parsed.data as JsonObject) };
  };
}

function tooLarge(): Fault {
  const key = 'validation_failed.video_data_size';
  const params = { limit: LIMITS.dataBytes };
  return new Fault(key, params, { errors: [{ loc: LOC, key, params }] });
}

function tooMany(limit: number): Fault {
  const key = 'validation_failed.video_data_values';
  return new Fault(key, { limit }, { errors: [{ loc: LOC, key, params: { limit } }] });
}

function dataFault(template: string, issues: readonly z.core.$ZodIssue[]): Fault {
  const errors = issues.slice(0, MAX_DETAILS).map(detailOf);
  const names = [...new Set(errors.map(({ loc }) => loc.slice(2).join('.') || 'data'))];
  const fields = names.slice(0, MAX_NAMED_FIELDS).join(', ') + (names.length > MAX_NAMED_FIELDS ? '…' : '');
  return new Fault('validation_failed.video_data', { template, fields }, { errors });
}

function detailOf(issue: z.core.$ZodIssue): FaultDetail {
  const loc = [...LOC, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  const inner = soleBranch(issue);
  return { loc, type: inner.code, ...messageOf(inner) };
}

/** A nullable type is parsed as a union; the issue is that of the type itself. */
function soleBranch(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const branches = issue.errors.filter(([first]) => !isNullExpected(first));
  const [only, ...others] = branches[0] ?? [];
  return branches.length === 1 && only && others.length === 0 && only.path.length === 0 ? only : issue;
}

function isNullExpected(issue: z.core.$ZodIssue | undefined): boolean {
  return issue?.code === 'invalid_type' && issue.expected === 'null';
}

function messageOf(issue: z.core.$ZodIssue): { issue: IssueKey; params?: FaultParams } {
  // An issue reported with its input has all fields of a raw one.
  const known = inputIssue(issue as z.core.$ZodRawIssue);
  if (known) return { issue: known.key, ...(known.params && { params: known.params }) };
  switch (issue.code) {
    case 'not_multiple_of':
      return { issue: 'multiple_of', params: { limit: issue.divisor } };
    case 'too_big':
      return { issue: 'less_than', params: { limit: Number(issue.maximum) } };
    case 'too_small':
      return { issue: 'more_than', params: { limit: Number(issue.minimum) } };
    default:
      return { issue: 'invalid' };
  }
}
