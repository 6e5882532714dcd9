import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Call, Tool } from '../contract/define.ts';
import { invoke } from '../contract/invoke.ts';
import { answer, answerBytes, type CutList, PAGE_LIMIT, TEXT_LIMIT } from './result.ts';

type Answered = { readonly tool: Tool; readonly args: unknown; readonly output: unknown };

/** The tool that was really called: for a tool that calls another one, that one. */
export function innermost(tool: Tool, args: unknown, output: unknown): Answered {
  const inner = tool.mcp ? tool.mcp.through?.(output as never) : undefined;
  return inner ? { ...inner, args: membersOf(args)['arguments'] } : { tool, args, output };
}

/**
 * The answer with as many items of a long list as fit. A page is read again with as many, so that its cursor is
 * that of the last item shown.
 */
export async function answerWithin(
  answered: Answered,
  declared: boolean,
  call: Call,
): Promise<CallToolResult> {
  const { tool, args, output } = answered;
  const reader = { locale: call.locale, voice: call.voice, declared };
  const list = longList(output);
  const paged = isPaged(tool, output);
  const limit = paged ? PAGE_LIMIT : TEXT_LIMIT;
  const shown = list && itemsThatFit(list, (part) => answerBytes(tool, part, declared) <= limit);
  if (!list || shown === undefined) return answer(tool, output, reader);
  const { count } = list;
  if (!paged) return answer(tool, list.first(shown), reader, { shown, count, more: false });
  const page = await invoke(tool, { ...membersOf(args), limit: shown }, call);
  return answer(tool, page.output, reader, { shown, count, more: true } satisfies CutList);
}

function isPaged({ effect, input }: Tool, output: unknown): boolean {
  return effect === 'read' && 'limit' in input.shape && 'next_cursor' in membersOf(output);
}

type List = { readonly count: number; first(count: number): unknown };

/** The list that takes most of an output. */
function longList(output: unknown): List | undefined {
  const members = membersOf(output);
  const lists = Object.entries(members).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 1
      ? [{ name, items: value, size: JSON.stringify(value).length }]
      : [],
  );
  const longest = lists.sort((a, b) => b.size - a.size)[0];
  if (!longest) return undefined;
  const { name, items } = longest;
  return { count: items.length, first: (count) => ({ ...members, [name]: items.slice(0, count) }) };
}

/** How many items fit; undefined where all do, or where not even one does. */
function itemsThatFit({ count, first }: List, fits: (output: unknown) => boolean): number | undefined {
  if (fits(first(count))) return undefined;
  let [most, tooMany] = [0, count];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (fits(first(middle))) most = middle;
    else tooMany = middle;
  }
  return most === 0 ? undefined : most;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
