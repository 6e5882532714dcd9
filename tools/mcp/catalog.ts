import { ConfigError } from '../../src/config.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Effect, Route, Tool } from '../contract/define.ts';
import { deepFreeze, type JsonSchema, toJsonSchema } from '../contract/json-schema.ts';
import { isCore, type Registry } from '../contract/registry.ts';
import { hasScope } from '../contract/require-scope.ts';
import { briefTool } from './brief-tool.ts';
import { modelSchema } from './model-schema.ts';
import { schemaShown } from './schema-shown.ts';
import { ALL, choosesTools, type KnownNames, type Selection, selects, unknownName } from './selection.ts';

/** A tool as `tools/list` shows it. */
export type WireTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /**
   * Left out of the usual list, where every token of every conversation counts; asked for by toolset it is there, unless
   * the tool has no structured content. Calls are answered with structured content where it was listed.
   */
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
  /** Names that clients may select tools by. */
  readonly known: KnownNames;
  shown(name: string): WireTool | undefined;
  /** What of it a client gets that makes these selections. */
  select(selections: readonly Selection[]): Choice;
};

/** The part of a catalogue that one conversation may use. */
export type Choice = {
  /** Names of all tools it may call, listed or not. */
  readonly names: readonly string[];
  reaches(tool: Tool): boolean;
  find(name: string): Tool | undefined;
  /** A tool of this name that only a person may call. */
  closed(name: string): Tool | undefined;
  /** The tools to list for a caller: those selected by toolset or name, else the usual ones. None beyond the caller's scopes. */
  listed(caller: Pick<Caller, 'scopes'>): readonly WireTool[];
};

/**
 * @param bound What the operator lets clients use: nothing outside it is listed or called.
 * @throws ConfigError when `bound` has a name that does not exist.
 */
export function createCatalogue(registry: Registry, bound: Selection = {}): Catalogue {
  const reachable = registry.tools.filter(({ mcp }) => mcp !== false);
  requireKnown(bound, knownNames(reachable, registry.tools));
  const tools = reachable.filter((tool) => selects(bound, tool));
  const byName = new Map(tools.map((tool) => [tool.name, { tool, shown: deepFreeze(wireTool(tool)) }]));
  const brief = new Map([...byName].map(([name, { shown }]) => [name, deepFreeze(briefTool(shown))]));
  return {
    known: knownNames(tools, registry.tools),
    shown: (name) => byName.get(name)?.shown,
    select(selections) {
      const parties = [bound, ...selections];
      const reaches = (tool: Tool) => parties.every((selection) => selects(selection, tool));
      const within = tools.filter(reaches);
      const choosing = parties.filter(choosesTools);
      // Who takes all tools searches them itself, and needs few words of each.
      const inFull = choosing.length > 0 && !choosing.some(({ toolsets }) => toolsets?.includes(ALL));
      return {
        names: within.map(({ name }) => name),
        reaches,
        find: (name) => within.find((tool) => tool.name === name),
        closed: (name) =>
          registry.tools.find((tool) => tool.name === name && isClosed(tool) && reaches(tool)),
        listed: (caller) =>
          within
            .filter((tool) => hasScope(tool, caller) && (choosing.length > 0 || isCore(tool)))
            .flatMap(({ name }) => (inFull ? byName.get(name)?.shown : brief.get(name)) ?? []),
      };
    },
  };
}

/** True for what no model may call since a secret goes in or comes out, and a person may. */
function isClosed({ mcp, dangerous }: Tool): boolean {
  return mcp === false && dangerous !== undefined;
}

const SETTING = { toolsets: 'TOOLSETS', tools: 'TOOLS', exclude: 'EXCLUDE_TOOLS' } as const;

function requireKnown(bound: Selection, names: KnownNames): void {
  const unknown = unknownName(bound, names);
  if (!unknown) return;
  const { part, name, known } = unknown;
  const what = part === 'toolsets' ? 'toolset' : 'tool';
  throw new ConfigError(`${SETTING[part]}: unknown ${what} '${name}'. Valid values: ${known.join(', ')}.`);
}

function knownNames(tools: readonly Tool[], all: readonly Tool[]): KnownNames {
  return {
    toolsets: [...new Set(tools.map(({ toolset }) => toolset))],
    tools: tools.map(({ name }) => name),
    exclude: all.map(({ name }) => name),
  };
}

/**
 * One tool in the words of the protocol.
 * @throws Error when its input is not one object: a mistake of the author, found at start.
 */
function wireTool(tool: Tool): WireTool {
  const inputSchema = modelSchema(toJsonSchema(tool.input, 'input'), 'input');
  const outputSchema = schemaShown(tool);
  if (!isObjectSchema(inputSchema)) throw new Error(`The input of '${tool.name}' is not one object.`);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
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

function isObjectSchema(schema: JsonSchema): schema is ObjectSchema {
  const { type } = schema;
  return type === 'object';
}
