import { defineTool, type Tool } from '../contract/define.ts';
import { innerOf, NamedOutput, NamedTool, runNamed } from './run-named.ts';

/** Runs any tool by its name. */
export function createRunTool(tools: readonly Tool[]): Tool {
  const inner = innerOf(tools);
  return defineTool({
    name: 'run_tool',
    title: 'Call a tool',
    description:
      'Call an operation that is not in your tool list, by the name and arguments that search_tools returns. If its effect is read, use read_tool.',
    toolset: 'meta',
    // It does whatever the tool it runs does, so clients must expect the most.
    effect: 'external',
    scope: 'any',
    // What it runs is counted by its own.
    rate: 'read',
    inner: inner.ofInput,
    mcp: { core: true, through: inner.ofOutput },
    input: NamedTool,
    output: NamedOutput,
    run: (input, call) => runNamed(tools, input, call),
    examples: [
      {
        title: 'Save sample data of a template',
        input: {
          name: 'save_fixture',
          arguments: { template: 'welcome', fixture: 'ana', data: { name: 'Ana' } },
        },
      },
    ],
  });
}
