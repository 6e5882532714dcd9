import { Fault } from '../../src/errors.ts';
import type { Tool } from './define.ts';

/**
 * Other names of a tool's fields, and the fields they mean. Models and older clients say `name` for what others call
 * `template`, and `id` for the one thing that a path names; a tool has more of its own in `aliases`.
 */
export function aliasesOf({ aliases = {}, input, rest }: Tool): Readonly<Record<string, string>> {
  const { shape } = input;
  const ids = [...(rest?.route.matchAll(/\{(\w+_id)\}/g) ?? [])].map(([, field = '']) => field);
  const [only, ...others] = ids;
  const usual: Record<string, string> = {};
  // Fields a tool ignores over REST must not begin to mean something.
  if ('template' in shape && !rest?.ignoresUnknownFields) usual['name'] = 'template';
  if (only !== undefined && others.length === 0) usual['id'] = only;
  return Object.fromEntries(Object.entries({ ...usual, ...aliases }).filter(([alias]) => !(alias in shape)));
}

/** Aliases by tool: every call asks for them, and a tool does not change. */
const known = new WeakMap<Tool, readonly (readonly [alias: string, field: string])[]>();

/**
 * The input with every field under its own name.
 * @throws Fault validation_failed.alias when both names are there and differ
 */
export function withoutAliases(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const members = { ...input };
  for (const [alias, field] of known.get(tool) ?? learn(tool)) {
    const value = members[alias];
    if (value === undefined) continue;
    if (members[field] !== undefined && members[field] !== value)
      throw new Fault('validation_failed.alias', { alias, field });
    delete members[alias];
    members[field] = value;
  }
  return members;
}

function learn(tool: Tool) {
  const aliases = Object.entries(aliasesOf(tool));
  known.set(tool, aliases);
  return aliases;
}
