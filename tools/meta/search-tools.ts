import { z } from 'zod';
import { defineTool, type Effect, type Tool } from '../contract/define.ts';
import { hasScope } from '../contract/require-scope.ts';
import { createRanking, type Ranking } from './rank-tools.ts';
import { schemaFor, shortSchemaFor } from './tool-schema.ts';
import { isWithin } from './within.ts';

/** Characters of an answer: at most 500 tokens, since schemas and English have about four characters a token. */
const ROOM = 1900;
/** The best hits, whose arguments are told if there is room. */
const TOLD_IN_FULL = 2;
const LINE = 110;

/** Finds tools by words, for clients that list only the common ones. */
export function createSearchTools(operations: readonly Tool[]): Tool {
  const tools = operations.filter(({ mcp }) => mcp !== false);
  // Reading all tools takes long, and many processes are never asked.
  let ranking: Ranking | undefined;
  const ranked: Ranking = (question) => {
    ranking ??= createRanking(tools);
    return ranking(question);
  };
  return defineTool({
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Search for operations that are not in your tool list. Returns the best matches, the first two with input schemas; a tool name as query returns its whole schema. Call those with effect read with read_tool, others with run_tool.',
    toolset: 'meta',
    effect: 'read',
    scope: 'any',
    mcp: { core: true, own: true, view },
    input: z.strictObject({
      query: z.string().min(1).max(200).meta({ description: 'What to do, in a few words' }),
      limit: z.int().min(1).max(20).default(5),
    }),
    output: z.object({
      items: z.array(FoundTool),
      toolsets: z
        .array(z.object({ name: z.string(), tools: z.int() }))
        .optional()
        .meta({ description: 'All toolsets, if nothing was found' }),
    }),
    run: async ({ query, limit }, call) => {
      const within = tools.filter((tool) => isWithin(tool, call) && hasScope(tool, call.caller));
      const named = within.find(({ name }) => name === query.trim());
      if (named) return { items: [{ ...lineOf(named), input_schema: schemaFor(named) }] };
      const hits = ranked(query).filter((tool) => within.includes(tool));
      if (hits.length === 0) return { items: [], toolsets: toolsetsOf(within) };
      return { items: told(hits.slice(0, limit)) };
    },
    examples: [{ title: 'Tools for merging a branch', input: { query: 'merge a branch' } }],
  });
}

const FoundTool = z.object({
  name: z.string(),
  description: z.string().meta({ description: 'What it does, in one line' }),
  effect: z.enum(['read', 'create', 'update', 'delete', 'external']).meta({
    description: 'What it does to the account',
  }),
  input_schema: z
    .looseObject({})
    .optional()
    .meta({ description: 'JSON Schema of the arguments, of the best matches' }),
});
type FoundTool = z.input<typeof FoundTool>;

/** As many lines as there is room for, then the schemas of the best hits, shortened where they would not fit. */
function told(hits: readonly Tool[]): FoundTool[] {
  const items: FoundTool[] = [];
  const fits = (more: readonly FoundTool[]) => JSON.stringify(more).length <= ROOM;
  for (const tool of hits) if (fits([...items, lineOf(tool)])) items.push(lineOf(tool));
  for (const [at, tool] of hits.slice(0, TOLD_IN_FULL).entries()) {
    const forms = [schemaFor(tool), shortSchemaFor(tool)].map((input_schema) =>
      items.with(at, { ...lineOf(tool), input_schema }),
    );
    const fitting = forms.find(fits);
    if (fitting) items.splice(0, items.length, ...fitting);
  }
  return items;
}

function lineOf({ name, description, effect }: Tool): { name: string; description: string; effect: Effect } {
  const [sentence = ''] = description.split(/(?<=[.;:])\s/);
  const line = sentence.length <= LINE ? sentence : `${sentence.slice(0, LINE - 1)}…`;
  return { name, description: line.replace(/[.;:]$/, ''), effect };
}

function toolsetsOf(tools: readonly Tool[]): { name: string; tools: number }[] {
  const names = [...new Set(tools.map(({ toolset }) => toolset))];
  return names.map((name) => ({ name, tools: tools.filter(({ toolset }) => toolset === name).length }));
}

function view({
  items,
  toolsets = [],
}: {
  items: FoundTool[];
  toolsets?: { name: string; tools: number }[] | undefined;
}) {
  if (items.length > 0) return items.map(lines).join('\n');
  const known = toolsets.map(({ name, tools }) => `${name} (${tools} tools)`).join(', ');
  return `No matching tools. Try other words. There are tools for ${known || 'nothing here'}.`;
}

function lines({ name, effect, description, input_schema }: FoundTool): string {
  const line = `${name} (${effect}): ${description}`;
  return input_schema ? `${line}\n  arguments: ${JSON.stringify(input_schema)}` : line;
}
