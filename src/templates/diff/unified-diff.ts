import { type DiffHunk, diffHunks, type EditOp, type HunkOptions, type LineEdit } from './diff-hunks.ts';

export type UnifiedOptions = HunkOptions & {
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
