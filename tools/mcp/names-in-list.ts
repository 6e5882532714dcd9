import type { Tool } from '../contract/define.ts';
import type { WireTool } from './catalog.ts';

/**
 * A list whose descriptions name other tools as a model calls them from there: `use edit_template` becomes `run_tool
 * edit_template` where the list lacks that tool and has `run_tool`.
 */
export function namesInList(list: readonly WireTool[], find: (name: string) => Tool | undefined): WireTool[] {
  const listed = new Set(list.map(({ name }) => name));
  const called = (words: string, name: string) => {
    const tool = listed.has(name) ? undefined : find(name);
    const through = tool?.effect === 'read' ? 'read_tool' : 'run_tool';
    return tool && listed.has(through) ? `${through} ${name}` : words;
  };
  return list.map((tool) => ({
    ...tool,
    description: tool.description.replace(/(?:\buse )?\b([a-z]+(?:_[a-z]+)+)\b/g, called),
  }));
}
