import type { Request } from 'express';
import { Fault } from '../../src/errors.ts';
import { type KnownNames, type Selection, unknownName } from '../../tools/mcp/selection.ts';

/** How a client says which tools it wants: in the address, or in headers. */
const HEADERS = {
  toolsets: 'X-MCP-Toolsets',
  tools: 'X-MCP-Tools',
  exclude: 'X-MCP-Exclude-Tools',
  readonly: 'X-MCP-Readonly',
  structured: 'X-MCP-Structured',
} as const;

type Part = keyof typeof HEADERS;
const PARTS = Object.keys(HEADERS) as readonly Part[];

/**
 * The selections of a request's address and of its headers; both hold.
 * @throws Fault bad_request for a parameter, a name or a value that does not exist: a client that mistypes what it wants to
 * keep out must not get it.
 */
export function selectionsOf(req: Request, known: KnownNames): readonly Selection[] {
  const { pathname, searchParams } = new URL(req.url, 'http://localhost');
  requireParameters(searchParams, pathname === '/messages');
  const parties = [(part: Part) => searchParams.getAll(part), (part: Part) => [req.get(HEADERS[part]) ?? '']];
  return parties.map((said) => {
    const selection = {
      toolsets: listOf(said('toolsets')),
      tools: listOf(said('tools')),
      exclude: listOf(said('exclude')),
      readOnly: said('readonly').some((value) => isSet('readonly', value)),
      structured: said('structured').some((value) => isSet('structured', value)),
    };
    requireNames(selection, known);
    return selection;
  });
}

function requireParameters(query: URLSearchParams, ofSession: boolean): void {
  const known = [...PARTS, ...(ofSession ? ['sessionId'] : [])];
  const name = [...query.keys()].find((one) => !known.includes(one));
  if (name !== undefined) throw new Fault('bad_request.mcp_parameter', { name, known: known.join(', ') });
}

function requireNames(selection: Selection, names: KnownNames): void {
  const unknown = unknownName(selection, names);
  if (!unknown) return;
  const { part, name, known } = unknown;
  const key = part === 'toolsets' ? 'bad_request.toolset' : 'bad_request.tool';
  throw new Fault(key, { name, known: known.join(', ') });
}

/** Blank says nothing, as a variable that is not set. */
function listOf(said: readonly string[]): readonly string[] | undefined {
  const names = said
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter(Boolean);
  return names.length === 0 ? undefined : names;
}

function isSet(name: Part, said: string): boolean {
  const value = VALUES.get(said.trim().toLowerCase());
  if (value === undefined) throw new Fault('bad_request.mcp_switch', { name, value: said });
  return value;
}

const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
  ['', false],
]);
