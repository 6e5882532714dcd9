import type { Call, Tool } from '../contract/define.ts';

/** Whether the conversation may use a tool, by the selections of operator and client. */
export function isWithin(tool: Tool, { reaches }: Call): boolean {
  return reaches?.(tool) ?? true;
}
