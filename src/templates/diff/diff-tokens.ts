import { align } from './align.ts';
import type { EditOp } from './diff-hunks.ts';
import { type TimeLimit, timeLimit } from './time-limit.ts';
import { tokenize } from './tokenize.ts';

/** A stretch of source that stayed, came or went. */
export type TokenEdit = { readonly op: EditOp; readonly text: string };

/**
 * What changed between two templates, by mustache, tag, comment, word and space. `equal` and `removed` joined give
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
