import type { Call, Tool } from '../contract/define.ts';

/** Whether the conversation may use a tool, by what the operator and the client selected. */
export function isWithin(tool: Tool, { reaches }: Call): boolean {
  return reaches?.(tool) ?? true;
}
