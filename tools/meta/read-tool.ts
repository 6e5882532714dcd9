import { defineTool, type Tool } from '../contract/define.ts';
import { innerOf, NamedOutput, NamedTool, requireRead, runNamed } from './run-named.ts';

/** Runs a tool that only reads by its name: a person can allow it once and for all, without allowing what changes things. */
export function createReadTool(tools: readonly Tool[]): Tool {
  const inner = innerOf(tools);
  return defineTool({
    name: 'read_tool',
    title: 'Call a read-only tool',
    description:
      'Call an operation with effect read that is not in your tool list, by the name and arguments that search_tools returns. Changes nothing.',
    toolset: 'meta',
    effect: 'read',
    scope: 'any',
    inner: inner.ofInput,
    mcp: { core: true, through: inner.ofOutput },
    input: NamedTool,
    output: NamedOutput,
    run: (input, call) => runNamed(tools, input, call, requireRead),
    examples: [
      {
        title: 'List the branches of a template',
        input: { name: 'list_branches', arguments: { template: 'welcome' } },
      },
    ],
  });
}
