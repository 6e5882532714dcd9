import type { WireTool } from './catalogue.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * A tool as the usual list shows it, where every token of every conversation counts: without the schema of its answer,
 * without limits of texts, which a call that oversteps them is told, and without hints that clients assume anyway.
 */
export function briefTool({ outputSchema: _long, annotations, ...tool }: WireTool): WireTool {
  // An object stays one without its limits.
  const inputSchema = withoutLimits(tool.inputSchema) as WireTool['inputSchema'];
  return { ...tool, inputSchema, annotations: tellingHints(annotations) };
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

const LIMITS: readonly string[] = ['minLength', 'maxLength', 'pattern'];
/** Their members are names of the caller's, not words of the schema. */
const NAMED: readonly string[] = ['properties'];
/** Their values are data, whatever they look like. */
const DATA: readonly string[] = ['default', 'const', 'enum', 'examples', 'required'];

function withoutLimits(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !LIMITS.includes(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withinBrief(keyword, value)]));
}

function withinBrief(keyword: string, value: unknown): unknown {
  if (DATA.includes(keyword)) return value;
  if (Array.isArray(value)) return value.map((item) => withinBrief('', item));
  if (typeof value !== 'object' || value === null) return value;
  if (!NAMED.includes(keyword)) return withoutLimits({ ...value });
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withinBrief('', item)]));
}
