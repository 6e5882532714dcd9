import { ConfigError } from '../../src/config.ts';
import type { Effect, Route, Tool, Toolset } from '../contract/define.ts';
import { type JsonSchema, toJsonSchema } from '../contract/json-schema.ts';
import { isCore, type Registry } from '../contract/registry.ts';
import { briefTool } from './brief-tool.ts';
import { modelSchema } from './model-schema.ts';

/** A tool as `tools/list` shows it. */
export type WireTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Left out of the usual list, where every token of every conversation counts; asked for by toolset it is there. */
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Partial<Annotations>>;
};

type ObjectSchema = JsonSchema & { readonly type: 'object' };

type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** What MCP clients see of the registry. Made once at start and frozen. */
export type Catalogue = {
  /** Names of the toolsets a client may ask for. */
  readonly toolsets: readonly Toolset[];
  /** Names of all tools a client may call, listed or not. */
  readonly names: readonly string[];
  find(name: string): Tool | undefined;
  shown(name: string): WireTool | undefined;
  /** The tools to list: of the toolsets asked for, else the operator's, else the core ones. */
  listed(toolsets?: readonly Toolset[]): readonly WireTool[];
};

/**
 * @param bound The operator's TOOLSETS: nothing outside them is listed or called. Unset: everything may be called.
 * @throws ConfigError when `bound` names a toolset that does not exist.
 */
export function createCatalogue(registry: Registry, bound?: readonly string[]): Catalogue {
  const known: readonly string[] = toolsetsOf(registry.tools);
  const unknown = bound?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(`TOOLSETS: unknown toolset '${unknown}'. Valid values: ${known.join(', ')}.`);
  const tools = withinBound(registry.tools, bound);
  const byName = new Map(tools.map((tool) => [tool.name, { tool, shown: deepFreeze(wireTool(tool)) }]));
  const toolsets = toolsetsOf(tools);
  const pick = (wanted: (tool: Tool) => boolean | undefined) =>
    [...byName.values()].filter(({ tool }) => wanted(tool)).map(({ shown }) => shown);
  const usual = deepFreeze(bound ? pick(() => true) : pick(isCore).map(briefTool));
  return {
    toolsets,
    names: tools.map((tool) => tool.name),
    find: (name) => byName.get(name)?.tool,
    shown: (name) => byName.get(name)?.shown,
    listed: (asked) => (asked ? pick((tool) => asked.includes(tool.toolset)) : usual),
  };
}

/** The tools that MCP can reach: those not kept from it, within the operator's TOOLSETS. */
export function withinBound(tools: readonly Tool[], bound?: readonly string[]): readonly Tool[] {
  return tools.filter(({ mcp, toolset }) => mcp !== false && (bound?.includes(toolset) ?? true));
}

/**
 * One tool in the words of the protocol.
 * @throws Error when its input is not one object: a mistake of the author, found at start.
 */
function wireTool(tool: Tool): WireTool {
  const inputSchema = modelSchema(toJsonSchema(tool.input, 'input'), 'input');
  if (!isObjectSchema(inputSchema)) throw new Error(`The input of '${tool.name}' is not one object.`);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema,
    outputSchema: modelSchema(toJsonSchema(tool.output, 'output'), 'output'),
    annotations: hints(tool.effect, tool.rest?.route),
  };
}

function hints(effect: Effect, route: Route | undefined): Annotations {
  const read = effect === 'read';
  return {
    readOnlyHint: read,
    // What happens in someone else's system cannot be taken back here, so it counts as destructive.
    destructiveHint: effect === 'delete' || effect === 'external',
    // PUT says by its meaning that repeating it changes nothing more; other writes may make another version.
    idempotentHint: read || effect === 'delete' || (route?.startsWith('PUT ') ?? false),
    openWorldHint: effect === 'external',
  };
}

function toolsetsOf(tools: readonly Tool[]): readonly Toolset[] {
  return Object.freeze([...new Set(tools.map((tool) => tool.toolset))]);
}

function isObjectSchema(schema: JsonSchema): schema is ObjectSchema {
  const { type } = schema;
  return type === 'object';
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
