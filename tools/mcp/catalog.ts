import { ConfigError } from '../../src/config.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Voice } from '../../src/voice.ts';
import type { Tool } from '../contract/define.ts';
import { deepFreeze, type JsonSchema, toJsonSchema } from '../contract/json-schema.ts';
import { isCore, isForApps, type Registry } from '../contract/registry.ts';
import { CONFIRMATION } from '../contract/require-confirmed.ts';
import { hasScope } from '../contract/require-scope.ts';
import { type AppMeta, appMeta } from './apps/tool-meta.ts';
import { briefTool } from './brief-tool.ts';
import { modelSchema } from './model-schema.ts';
import { modelVoice } from './model-voice.ts';
import { namesInList } from './names-in-list.ts';
import { schemaShown } from './schema-shown.ts';
import {
  ALL,
  choosesTools,
  isEmpty,
  type KnownNames,
  type Selection,
  selects,
  unknownName,
} from './selection.ts';

/** A tool as `tools/list` shows it. */
export type WireTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /**
   * Only for clients that ask for structured content, and of tools that have some. Calls are answered with structured
   * content where it was listed, and else with text: never with both, since clients differ in which they give their model.
   */
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Partial<Annotations>>;
  /** Only for clients with apps, which read it and show it to no model. */
  readonly _meta?: AppMeta;
};

type ObjectSchema = JsonSchema & { readonly type: 'object' };

type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** What MCP clients see of the registry. Each tool is converted when it is first shown, and frozen. */
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
  /** A tool of this name that only apps call. */
  findForApps(name: string): Tool | undefined;
  /** A tool of this name that only a person may call. */
  closed(name: string): Tool | undefined;
  /** The tools to list for a caller: those selected by toolset or name, else the usual ones. None beyond the caller's scopes. */
  listed(caller: Pick<Caller, 'scopes'>): readonly WireTool[];
  /** Whether the list that the caller gets has the schema of the tool's structured content. */
  declares(tool: Tool, caller: Pick<Caller, 'scopes'>): boolean;
  /** How messages name calls in this conversation. */
  voiceFor(visit: { readonly caller: Pick<Caller, 'scopes'>; readonly baseUrl: string }): Voice;
  /** The same tools for a client with apps: with the app of each, and with those that only apps call. */
  listedWithApps(caller: Pick<Caller, 'scopes'>): readonly WireTool[];
};

/**
 * @param bound What the operator lets clients use: nothing outside it is listed or called.
 * @throws ConfigError when `bound` has a name that does not exist; Error when a plug-in's input is not one object.
 */
export function createCatalogue(registry: Registry, bound: Selection = {}): Catalogue {
  const reachable = registry.tools.filter((tool) => tool.mcp !== false && !isForApps(tool));
  const forApps = registry.tools.filter(isForApps);
  requireKnown(bound, knownNames(reachable, registry.tools));
  const tools = reachable.filter((tool) => selects(bound, tool));
  const byName = new Map([...tools, ...forApps].map((tool) => [tool.name, tool]));
  const full = formOf(byName, wireTool);
  const answers = formOf(byName, (tool) => ({ outputSchema: schemaShown(tool) }));
  const withSchema = (shown: WireTool | undefined, name: string): WireTool | undefined => {
    const outputSchema = answers(name)?.outputSchema;
    return shown && outputSchema ? { ...shown, outputSchema } : shown;
  };
  const brief = formOf(byName, (tool) => briefTool(full(tool.name) ?? wireTool(tool)));
  const usualOnes = once(() => {
    const core = tools.filter(isCore).flatMap(({ name }) => brief(name) ?? []);
    return new Map(namesInList(core, registry.find).map((shown) => [shown.name, deepFreeze(shown)]));
  });
  // No test has seen these: their mistakes are found at start.
  for (const { name, toolset } of tools) if (toolset === 'plugins') full(name);
  const choose = (selections: readonly Selection[]): Choice => {
    const parties = [bound, ...selections];
    const reaches = (tool: Tool) => parties.every((selection) => selects(selection, tool));
    const within = tools.filter(reaches);
    const withinForApps = forApps.filter(({ mcp }) => {
      const standsFor = mcp ? mcp.standsFor : undefined;
      return standsFor === undefined || within.some(({ name }) => name === standsFor);
    });
    const choosing = parties.filter(choosesTools);
    // Who takes all tools searches them itself, and needs few words of each.
    const inFull = choosing.length > 0 && !choosing.some(({ toolsets }) => toolsets?.includes(ALL));
    const isStructured = parties.some(({ structured }) => structured);
    const chosenForm = (name: string) => {
      if (choosing.length === 0) return usualOnes().get(name);
      return inFull ? full(name) : brief(name);
    };
    const form = (name: string) => {
      const shown = chosenForm(name);
      return isStructured ? withSchema(shown, name) : shown;
    };
    const listed = (caller: Pick<Caller, 'scopes'>) =>
      within.filter((tool) => hasScope(tool, caller) && (choosing.length > 0 || isCore(tool)));
    return {
      names: within.map(({ name }) => name),
      reaches,
      find: (name) => within.find((tool) => tool.name === name),
      closed: (name) => registry.tools.find((tool) => tool.name === name && isClosed(tool) && reaches(tool)),
      findForApps: (name) => withinForApps.find((tool) => tool.name === name),
      listed: (caller) => listed(caller).flatMap(({ name }) => form(name) ?? []),
      declares: ({ name }, caller) =>
        form(name)?.outputSchema !== undefined && listed(caller).some((tool) => tool.name === name),
      listedWithApps: (caller) =>
        [...listed(caller), ...withinForApps.filter((tool) => hasScope(tool, caller))].flatMap((tool) => {
          const shown = form(tool.name) ?? brief(tool.name) ?? [];
          const _meta = appMeta(tool);
          return [shown].flat().map((one) => (_meta ? { ...one, _meta } : one));
        }),
      voiceFor: ({ caller, baseUrl }) =>
        modelVoice({
          baseUrl,
          find: registry.find,
          isListed: (name) => listed(caller).some((tool) => tool.name === name),
          isOpen: (name) => within.some((tool) => tool.name === name),
        }),
    };
  };
  const usual = once(() => choose([]));
  return {
    known: knownNames(tools, registry.tools),
    shown: full,
    // Most clients select nothing.
    select: (selections) => (selections.every(isEmpty) ? usual() : choose(selections)),
  };
}

/** Converts the tool of a name when it is first asked for. */
function formOf<Form extends object>(tools: ReadonlyMap<string, Tool>, make: (tool: Tool) => Form) {
  const made = new Map<string, Form>();
  return (name: string): Form | undefined => {
    const tool = tools.get(name);
    const known = made.get(name);
    if (known || !tool) return known;
    const form = deepFreeze(make(tool));
    made.set(name, form);
    return form;
  };
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
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
 * @throws Error when its input is not one object: a mistake of the author.
 */
function wireTool(tool: Tool): WireTool {
  const inputSchema = withConfirmation(tool, modelSchema(toJsonSchema(tool.input, 'input'), 'input'));
  if (!isObjectSchema(inputSchema)) throw new Error(`The input of '${tool.name}' is not one object.`);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema,
    annotations: hints(tool),
  };
}

/** With the argument by which a client that cannot ask a person carries the id of a question. */
function withConfirmation({ confirm }: Tool, schema: JsonSchema): JsonSchema {
  const { properties, ...rest } = schema;
  if (!confirm) return schema;
  const description = 'Only where an answer asked for it: the ID it gave';
  return { ...rest, properties: { ...Object(properties), [CONFIRMATION]: { type: 'string', description } } };
}

function hints({ effect, rest, savesWith }: Tool): Annotations {
  const read = effect === 'read' && savesWith === undefined;
  return {
    readOnlyHint: read,
    // What happens in someone else's system cannot be taken back here, so it counts as destructive.
    destructiveHint: effect === 'delete' || effect === 'external',
    // PUT says by its meaning that repeating it changes nothing more; other writes may make another version.
    idempotentHint: read || effect === 'delete' || (rest?.route.startsWith('PUT ') ?? false),
    openWorldHint: effect === 'external',
  };
}

function isObjectSchema(schema: JsonSchema): schema is ObjectSchema {
  const { type } = schema;
  return type === 'object';
}
