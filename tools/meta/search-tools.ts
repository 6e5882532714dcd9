import { z } from 'zod';
import { defineTool, type Tool } from '../contract/define.ts';
import { toJsonSchema } from '../contract/json-schema.ts';
import { modelSchema } from '../mcp/model-schema.ts';

/** Finds tools by words, for clients that list only the common ones. */
export function createSearchTools(tools: readonly Tool[]): Tool {
  return defineTool({
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Search for operations that are not in your tool list. Returns the best matches, each with its description and input schema. Call a match with run_tool.',
    toolset: 'meta',
    effect: 'read',
    scope: 'any',
    mcp: {
      core: true,
      view: ({ items }) =>
        items.length === 0 ? 'No matching tools. Try other words.' : JSON.stringify({ items }),
    },
    input: z.strictObject({
      query: z.string().min(1).max(200).meta({ description: 'What you want to do, in a few words' }),
      limit: z.int().min(1).max(20).default(5),
    }),
    output: z.object({ items: z.array(FoundTool) }),
    run: async ({ query, limit }) => ({ items: ranked(tools, query).slice(0, limit).map(found) }),
    examples: [{ title: 'Tools for merging a branch', input: { query: 'merge a branch' } }],
  });
}

const FoundTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  input_schema: z.looseObject({}).meta({ description: 'JSON Schema of the arguments' }),
});

function found(tool: Tool): z.input<typeof FoundTool> {
  const { name, title, description } = tool;
  return { name, title, description, input_schema: modelSchema(toJsonSchema(tool.input, 'input'), 'input') };
}

/** Best first; equal ones in the order of the documents. */
function ranked(tools: readonly Tool[], query: string): readonly Tool[] {
  const words = wordsOf(query);
  return tools
    .map((tool) => ({ tool, score: words.reduce((sum, word) => sum + score(tool, word), 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

function score({ name, title, description }: Tool, word: string): number {
  const weigh = (text: string, weight: number) =>
    wordsOf(text).some((one) => one === word || one.startsWith(word) || word.startsWith(one)) ? weight : 0;
  return weigh(name, 4) + weigh(title, 2) + weigh(description, 1);
}

/** Words of three letters and more; shorter ones (a, to, of) say nothing about a tool. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}
