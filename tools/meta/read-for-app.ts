import { z } from 'zod';
import { defineTool, type Tool } from '../contract/define.ts';
import { NamedOutput, NamedTool, requireRead, runNamed } from './run-named.ts';

/** What the apps show. */
const READS = [
  'render_template',
  'get_template',
  'diff_versions',
  'get_video',
  'get_generation',
  'get_sync_run',
  'list_sync_changes',
] as const;

/**
 * Reads for an app what it shows, whole: the answer of a tool for models is cut. It reads no more than the tool it calls,
 * with that tool's scope, for a conversation that may use that tool.
 */
export function createReadForApp(tools: readonly Tool[]): Tool {
  return defineTool({
    name: 'read_for_app',
    title: 'Read what an app shows',
    description:
      'Read all the data that an app shows to a person. Only apps call it; models use the tools themselves.',
    toolset: 'meta',
    effect: 'read',
    scope: 'any',
    mcp: { visibility: ['app'] },
    input: NamedTool.extend({ name: z.enum(READS) }),
    output: NamedOutput,
    run: (input, call) => runNamed(tools, input, call, requireRead),
    examples: [
      {
        title: 'A complete rendered email',
        input: { name: 'render_template', arguments: { template: 'welcome', data: { name: 'Ana' } } },
      },
    ],
  });
}
