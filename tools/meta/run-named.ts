import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import type { Call, Tool } from '../contract/define.ts';
import { invoke } from '../contract/invoke.ts';
import { personRequired } from '../contract/person-required.ts';
import { unknownTool } from '../contract/unknown-tool.ts';
import { isWithin } from './within.ts';

export const NamedTool = z.strictObject({
  name: z.string().min(1).max(48),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

type NamedInput = z.output<typeof NamedTool>['arguments'];

export const NamedOutput = z.object({
  name: z.string(),
  output: z.unknown().meta({ description: 'Output of the tool' }),
});

/**
 * Runs a tool by its name, with that tool's own parsing and scope, if the conversation may use it and `allow` does not
 * throw. What no model may call, since a secret goes in or comes out, is refused with the page where a person does it.
 * @throws Fault not_found, person_required, and those of the tool
 */
export async function runNamed(
  tools: readonly Tool[],
  { name, arguments: input }: z.output<typeof NamedTool>,
  call: Call,
  allow: (tool: Tool, input: NamedInput) => void = () => {},
): Promise<z.input<typeof NamedOutput>> {
  const within = tools.filter((tool) => isWithin(tool, call));
  const open = within.filter(({ mcp, dangerous }) => mcp !== false || dangerous);
  const tool = open.find((one) => one.name === name);
  if (!tool) throw unknownTool(name, namesOf(open));
  if (tool.mcp === false) throw personRequired(tool, call);
  allow(tool, input);
  const { output } = await invoke(tool, input, call);
  return { name, output };
}

/** @throws Fault bad_request.not_a_read, bad_request.read_saves_file for a call that changes something */
export function requireRead({ name, effect, savesWith: field }: Tool, input: NamedInput): void {
  if (effect !== 'read') throw new Fault('bad_request.not_a_read', { name });
  if (field !== undefined && input[field] !== undefined)
    throw new Fault('bad_request.read_saves_file', { name, field });
}

/** The tool that a call runs, as answers and jobs are made of it. */
export function innerOf(tools: readonly Tool[]) {
  const find = (wanted: string | undefined) =>
    tools.find(({ name, mcp }) => name === wanted && mcp !== false);
  return {
    /** Of the arguments, as they came. */
    ofInput(input: unknown) {
      const { name, arguments: args } = NamedTool.safeParse(input).data ?? {};
      const tool = find(name);
      return tool && { tool, input: args };
    },
    ofOutput: ({ name, output }: z.output<typeof NamedOutput>) => {
      const tool = find(name);
      if (!tool) throw new Error(`${name} has run and is no tool.`);
      return { tool, output };
    },
  };
}

/** A name that is closed to models is no suggestion. */
function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.filter(({ mcp }) => mcp !== false).map(({ name }) => name);
}
