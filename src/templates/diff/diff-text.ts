import { align, type Hunk } from './align.ts';
import { type TimeLimit, timeLimit } from './shortest-edit.ts';
import { tokenize } from './tokenize.ts';

type EditOp = 'equal' | 'added' | 'removed';

/** A line without its newline; `no_newline` is there when the text ended without one. */
type LineEdit = { readonly op: EditOp; readonly text: string; readonly no_newline?: true };

/**
 * Lines that changed with the unchanged ones around them. The starts are 1-based; where a side has no lines, its start
 * is the line before, as in a patch.
 */
export type DiffHunk = {
  readonly from_start: number;
  readonly from_lines: number;
  readonly to_start: number;
  readonly to_lines: number;
  readonly lines: readonly LineEdit[];
};

export type HunkDiff = {
  readonly stats: { readonly added: number; readonly removed: number };
  readonly hunks: readonly DiffHunk[];
};

type HunkOptions = {
  /** Unchanged lines shown before and after a change; 3 unless given. */
  readonly context?: number;
  readonly limit?: TimeLimit;
};

/**
 * What changed between two texts, line by line.
 *
 * @throws Fault `too_large.merge` when the texts differ in too many places to be compared in time
 */
export function diffHunks(from: string, to: string, options: HunkOptions = {}): HunkDiff {
  const { context = 3, limit = timeLimit() } = options;
  const fromLines = splitLines(from);
  const toLines = splitLines(to);
  const changes = align(fromLines, toLines, limit);
  return {
    stats: {
      added: changes.reduce((sum, change) => sum + change.toEnd - change.toStart, 0),
      removed: changes.reduce((sum, change) => sum + change.fromEnd - change.fromStart, 0),
    },
    hunks: nearby(changes, context).map((group) => hunk(group, fromLines, toLines, context)),
  };
}

/** Changes whose contexts touch go into one hunk. */
function nearby(changes: readonly Hunk[], context: number): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (group && previous && change.fromStart - previous.fromEnd <= 2 * context) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunk(
  group: readonly Hunk[],
  fromLines: readonly string[],
  toLines: readonly string[],
  context: number,
): DiffHunk {
  const first = group[0]?.fromStart ?? 0;
  const last = group.at(-1)?.fromEnd ?? 0;
  const start = Math.max(0, first - context);
  const toStart = (group[0]?.toStart ?? 0) - (first - start);
  const lines = group.flatMap((change, at) => [
    ...edits('equal', fromLines.slice(group[at - 1]?.fromEnd ?? start, change.fromStart)),
    ...edits('removed', fromLines.slice(change.fromStart, change.fromEnd)),
    ...edits('added', toLines.slice(change.toStart, change.toEnd)),
  ]);
  const all = [...lines, ...edits('equal', fromLines.slice(last, last + context))];
  const removed = all.filter((line) => line.op !== 'added').length;
  const added = all.filter((line) => line.op !== 'removed').length;
  return {
    from_start: firstLine(start, removed),
    from_lines: removed,
    to_start: firstLine(toStart, added),
    to_lines: added,
    lines: all,
  };
}

function edits(op: EditOp, lines: readonly string[]): LineEdit[] {
  return lines.map((line) =>
    line.endsWith('\n') ? { op, text: line.slice(0, -1) } : { op, text: line, no_newline: true },
  );
}

function firstLine(start: number, count: number): number {
  return count === 0 ? start : start + 1;
}

/** The lines of a text, each with its newline; only the last may lack one. Joined they give the text. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

type UnifiedOptions = HunkOptions & {
  /** What the `---` and `+++` lines name, in one line each, such as `a/welcome.html`. */
  readonly fromLabel: string;
  readonly toLabel: string;
};

const SIGN: Record<EditOp, string> = { equal: ' ', removed: '-', added: '+' };

/**
 * The change as a patch that `git apply` and `patch` take; empty when the texts are equal.
 *
 * @throws Fault `too_large.merge` when the texts differ in too many places to be compared in time
 */
export function unifiedDiff(from: string, to: string, options: UnifiedOptions): string {
  const { hunks } = diffHunks(from, to, options);
  if (hunks.length === 0) return '';
  return `--- ${options.fromLabel}\n+++ ${options.toLabel}\n${hunks.map(patch).join('')}`;
}

function patch(hunk: DiffHunk): string {
  const from = range(hunk.from_start, hunk.from_lines);
  const to = range(hunk.to_start, hunk.to_lines);
  return `@@ -${from} +${to} @@\n${hunk.lines.map(patchLine).join('')}`;
}

function range(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${start},${lines}`;
}

function patchLine({ op, text, no_newline }: LineEdit): string {
  return `${SIGN[op]}${text}\n${no_newline ? '\\ No newline at end of file\n' : ''}`;
}

/** A stretch of source that stayed, came or went. */
type TokenEdit = { readonly op: EditOp; readonly text: string };

/**
 * What changed between two templates, by expression, tag, comment, word and space. `equal` and `removed` joined give
 * `from`, `equal` and `added` give `to`; where something was replaced, `removed` comes first.
 *
 * @throws Fault `too_large.merge` when the texts differ in too many places to be compared in time
 */
export function diffTokens(from: string, to: string, limit: TimeLimit = timeLimit()): TokenEdit[] {
  const before = tokenize(from).map((token) => token.text);
  const after = tokenize(to).map((token) => token.text);
  const edits: TokenEdit[] = [];
  const add = (op: EditOp, tokens: readonly string[]) => {
    if (tokens.length > 0) edits.push({ op, text: tokens.join('') });
  };
  let at = 0;
  for (const hunk of align(before, after, limit)) {
    add('equal', before.slice(at, hunk.fromStart));
    add('removed', before.slice(hunk.fromStart, hunk.fromEnd));
    add('added', after.slice(hunk.toStart, hunk.toEnd));
    at = hunk.fromEnd;
  }
  add('equal', before.slice(at));
  return edits;
}
