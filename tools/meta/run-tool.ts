import { z } from 'zod';
import { defineTool, type Tool } from '../contract/define.ts';
import { invoke } from '../contract/invoke.ts';
import { personRequired } from '../contract/person-required.ts';
import { unknownTool } from '../contract/unknown-tool.ts';
import { textOf } from '../mcp/result.ts';

/**
 * Runs any tool by its name, with that tool's own parsing and scope. `closed` are those that no model may call, since a
 * secret goes in or comes out: their refusal names the page where a person does it.
 */
export function createRunTool(tools: readonly Tool[], closed: readonly Tool[] = []): Tool {
  const names = tools.map((tool) => tool.name);
  const find = (name: string) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw unknownTool(name, names);
    return tool;
  };
  return defineTool({
    name: 'run_tool',
    title: 'Call a tool',
    description:
      "Call an operation that is not in your tool list. Find its name and arguments with search_tools. Returns that operation's output.",
    toolset: 'meta',
    // It does whatever the tool it runs does, so clients must expect the most.
    effect: 'external',
    scope: 'any',
    // What it runs is counted by its own.
    rate: 'read',
    mcp: { core: true, view: ({ name, output }) => textOf(find(name), output) },
    input: z.strictObject({
      name: z.string().min(1).max(48).meta({ description: 'Tool name' }),
      arguments: z.record(z.string(), z.unknown()).default({}).meta({ description: 'Arguments of the tool' }),
    }),
    output: z.object({
      name: z.string(),
      output: z.unknown().meta({ description: 'Output of the tool' }),
    }),
    run: async (input, call) => {
      const refused = closed.find(({ name }) => name === input.name);
      if (refused) throw personRequired(refused, call);
      const { output } = await invoke(find(input.name), input.arguments, call);
      return { name: input.name, output };
    },
    examples: [
      {
        title: 'List the branches of a template',
        input: { name: 'list_branches', arguments: { template: 'welcome' } },
      },
    ],
  });
}
