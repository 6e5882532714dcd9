import type { Tool } from '../contract/define.ts';
import { createReadForApp } from './read-for-app.ts';
import { createReadTool } from './read-tool.ts';
import { createRunTool } from './run-tool.ts';
import { createSearchTools } from './search-tools.ts';

/** The tools by which a short tool list, or an app, reaches the operations of the product. */
export function createMetaTools(tools: readonly Tool[]): readonly Tool[] {
  return [createSearchTools(tools), createReadTool(tools), createRunTool(tools), createReadForApp(tools)];
}
