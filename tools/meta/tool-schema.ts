import type { Tool } from '../contract/define.ts';
import { type JsonSchema, toJsonSchema } from '../contract/json-schema.ts';
import { withoutLimits } from '../mcp/brief-tool.ts';
import { modelSchema } from '../mcp/model-schema.ts';

/** The schema of a tool's arguments in few tokens, as the usual list shows those of the core tools. */
export function schemaFor(tool: Tool): JsonSchema {
  return withoutLimits(modelSchema(toJsonSchema(tool.input, 'input'), 'input'));
}

/** Only which arguments there are, of what type, and which of them are needed. */
export function shortSchemaFor(tool: Tool): JsonSchema {
  const { properties, ...rest } = schemaFor(tool);
  const short = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, part]) => [
    name,
    Object.fromEntries(Object.entries(part).filter(([keyword]) => SAYS_TYPE.includes(keyword))),
  ]);
  return { ...rest, properties: Object.fromEntries(short) };
}

const SAYS_TYPE: readonly string[] = ['type', 'enum', 'const'];
