import type { Tool } from '../contract/define.ts';

/**
 * Which tools one party lets a conversation use: the operator, the address a client connects to, its headers. A
 * tool is available only if every party allows it. A party limits nothing that it does not mention.
 */
export type Selection = {
  /** Whole toolsets by name, or `all`; together with `tools`, nothing else is there. */
  readonly toolsets?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Only what reads. */
  readonly readOnly?: boolean | undefined;
  /** Answers as structured content that fits a listed output schema, instead of as text. */
  readonly structured?: boolean | undefined;
};

export const ALL = 'all';

export function selects(selection: Selection, tool: Tool): boolean {
  const { toolsets = [], tools = [], exclude, readOnly } = selection;
  if (readOnly && tool.effect !== 'read') return false;
  if (exclude?.includes(tool.name)) return false;
  if (!choosesTools(selection)) return true;
  return toolsets.includes(ALL) || toolsets.includes(tool.toolset) || tools.includes(tool.name);
}

/** Whether a party says which tools to list, instead of the usual ones. */
export function choosesTools({ toolsets, tools }: Selection): boolean {
  return toolsets !== undefined || tools !== undefined;
}

/** Whether a party says nothing at all. */
export function isEmpty(selection: Selection): boolean {
  return Object.values(selection).every((said) => said === undefined || said === false);
}

/** Names that a selection may have. */
export type KnownNames = {
  readonly toolsets: readonly string[];
  readonly tools: readonly string[];
  /** Names that may be excluded: also of tools that are not there anyway. */
  readonly exclude: readonly string[];
};

export type UnknownName = {
  readonly part: 'toolsets' | 'tools' | 'exclude';
  readonly name: string;
  readonly known: readonly string[];
};

/** The first name that does not exist. Ignoring one would leave a tool open that was meant to be excluded. */
export function unknownName(selection: Selection, names: KnownNames): UnknownName | undefined {
  const known = { ...names, toolsets: [...names.toolsets, ALL] };
  for (const part of ['toolsets', 'tools', 'exclude'] as const) {
    const name = selection[part]?.find((one) => !known[part].includes(one));
    if (name !== undefined) return { part, name, known: known[part] };
  }
  return undefined;
}
