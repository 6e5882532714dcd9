import { Fault } from '../../src/errors.ts';
import { closest } from '../../src/platform/closest.ts';

/**
 * The fault for a tool name that does not exist, with the name that was probably meant. Models often turn the words of
 * a name round (`template_render`), so the words are compared without their order first.
 */
export function unknownTool(name: string, known: readonly string[]): Fault {
  const sorted = sortedWords(name);
  const suggestion = known.find((one) => sortedWords(one) === sorted) ?? closest(name, known);
  return suggestion === undefined
    ? new Fault('not_found.tool', { name })
    : new Fault('not_found.tool_close', { name, suggestion });
}

function sortedWords(name: string): string {
  return name
    .toLowerCase()
    .split(/[^a-z]+/)
    .sort()
    .join(' ');
}
