import type { Tool } from './define.ts';

export type Registry = {
  readonly tools: readonly Tool[];
  find(name: string): Tool | undefined;
};

const NAME = /^[a-z]+(_[a-z]+)+$/;

/**
 * All operations of the product, in the order of the documents.
 * @throws Error on a malformed or doubled name or route, or a job that asks: a mistake of the author, found at start.
 */
export function createRegistry(tools: readonly Tool[]): Registry {
  const byName = new Map<string, Tool>();
  const routes = new Set<string>();
  for (const tool of tools) {
    requireWellFormed(tool);
    if (byName.has(tool.name)) throw new Error(`Two tools are named '${tool.name}'.`);
    const route = tool.rest?.route;
    if (route && routes.has(route)) throw new Error(`Two tools answer '${route}'.`);
    byName.set(tool.name, tool);
    if (route) routes.add(route);
  }
  return {
    tools,
    find: (name) => byName.get(name),
  };
}

function requireWellFormed({ name, examples }: Tool): void {
  if (!NAME.test(name) || name.length > 48) throw new Error(`Tool name '${name}' is not verb_noun.`);
  if (examples.length === 0) throw new Error(`Tool '${name}' has no example.`);
}

/** True for a tool of the default MCP list. */
export function isCore({ mcp }: Tool): boolean {
  return mcp !== undefined && mcp !== false && mcp.core === true;
}

/** True for a tool that only apps call, for a click of a person. */
export function isForApps({ mcp }: Pick<Tool, 'mcp'>): boolean {
  return mcp !== undefined && mcp !== false && mcp.visibility !== undefined;
}
