import type { JsonSchema } from '../contract/json-schema.ts';
import { CONFIRMATION } from '../contract/require-confirmed.ts';
import type { WireTool } from './catalog.ts';

/**
 * A tool as the usual list shows it, where every token of every conversation counts: without limits, which the
 * error of a call names, without defaults that say no more than leaving the field out does, and without hints
 * that clients assume anyway.
 */
export function briefTool({ annotations, ...tool }: WireTool): WireTool {
  // An object stays one without its limits.
  const inputSchema = withoutConfirmation(withoutLimits(tool.inputSchema)) as WireTool['inputSchema'];
  return { ...tool, inputSchema, annotations: tellingHints(annotations) };
}

/** The answer that asks for it says how to send it, and a brief schema allows it. */
function withoutConfirmation({ properties, ...schema }: JsonSchema): JsonSchema {
  const { [CONFIRMATION]: _asked, ...own } = Object(properties) as JsonSchema;
  return { ...schema, properties: own };
}

/** What the protocol has clients assume of a tool that says nothing. */
const ASSUMED = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

function tellingHints(hints: WireTool['annotations']): WireTool['annotations'] {
  const telling = Object.entries(hints).filter(([name, value]) => {
    // What only reads destroys nothing, and may be read again.
    if (hints.readOnlyHint && (name === 'destructiveHint' || name === 'idempotentHint')) return false;
    return value !== ASSUMED[name as keyof typeof ASSUMED];
  });
  return Object.fromEntries(telling);
}

const LIMITS: readonly string[] = [
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'multipleOf',
];
/** Their members are names of the caller's, not words of the schema. */
const NAMED: readonly string[] = ['properties'];
/** Their values are data, whatever they look like. */
const DATA: readonly string[] = ['default', 'const', 'enum', 'examples', 'required'];

/** An input schema without the limits that a call which oversteps them is told. */
export function withoutLimits(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword, value]) => !isPlain(keyword, value));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withinBrief(keyword, value)]));
}

/** What goes without saying. */
function isPlain(keyword: string, value: unknown): boolean {
  if (keyword === 'default') return NOTHING.has(JSON.stringify(value));
  // Only that others are allowed is news.
  if (keyword === 'additionalProperties') return value === false;
  return LIMITS.includes(keyword);
}

const NOTHING: ReadonlySet<string> = new Set(['""', '[]', '{}', 'false', '0']);

function withinBrief(keyword: string, value: unknown): unknown {
  if (DATA.includes(keyword)) return value;
  if (Array.isArray(value)) return value.map((item) => withinBrief('', item));
  if (typeof value !== 'object' || value === null) return value;
  if (!NAMED.includes(keyword)) return withoutLimits({ ...value });
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withinBrief('', item)]));
}
