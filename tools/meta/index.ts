import type { Tool } from '../contract/define.ts';
import { createRunTool } from './run-tool.ts';
import { createSearchTools } from './search-tools.ts';

/**
 * The two tools by which a short tool list reaches every operation.
 * @param tools What may be found and run: the operations of the product within the operator's TOOLSETS.
 * @param closed What no model may call.
 */
export function createMetaTools(tools: readonly Tool[], closed: readonly Tool[] = []): readonly Tool[] {
  return [createSearchTools(tools), createRunTool(tools, closed)];
}
