import { splitLines } from '../diff/diff-hunks.ts';
import { type TimeLimit, timeLimit } from '../diff/shortest-edit.ts';
import { diff3, type Part, part, type Versions } from './diff3.ts';
import { mergeTokens } from './merge-tokens.ts';

/** A place both sides changed, in different ways. */
type TextConflict = {
  /** Position among the conflicts, from 0. */
  readonly index: number;
  /** Line, from 1, of the merged text in which every conflict before it holds our text. */
  readonly line: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
};

/** What a merged text is put together from, in order. */
export type MergePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'conflict'; readonly index: number };

export type TextMerge =
  | { readonly clean: true; readonly text: string }
  | {
      readonly clean: false;
      readonly pieces: readonly MergePiece[];
      readonly conflicts: readonly TextConflict[];
    };

type MergeTextOptions = {
  /** `line` merges whole lines alone, as git does; `token`, the default, tries conflicting lines again by token. */
  readonly granularity?: 'line' | 'token';
  /** Shared by everything this merge compares; 700 ms unless given. */
  readonly limit?: TimeLimit;
};

/**
 * Three-way merge of a text. A change that both sides made is no conflict.
 *
 * @throws Fault `too_large.merge` when the texts differ in too many places to be compared in time
 */
export function mergeText(texts: Versions<string>, options: MergeTextOptions = {}): TextMerge {
  const { granularity = 'token', limit = timeLimit() } = options;
  const { base, ours, theirs } = texts;
  if (ours === theirs || theirs === base) return { clean: true, text: ours };
  if (ours === base) return { clean: true, text: theirs };
  const parts = mergeLines(texts, limit);
  if (granularity === 'line') return assembled(parts);
  return assembled(parts.flatMap((one) => (typeof one === 'string' ? [one] : mergeTokens(one, limit))));
}

function mergeLines({ base, ours, theirs }: Versions<string>, limit: TimeLimit): Part[] {
  const lists = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) };
  return diff3(lists, limit).map((region) => part(region, lists));
}

function assembled(parts: readonly Part[]): TextMerge {
  const sides = parts.filter((part) => typeof part !== 'string');
  if (sides.length === 0) return { clean: true, text: parts.join('') };
  const pieces = toPieces(parts);
  const lines = conflictLines(pieces, (index) => sides[index]?.ours ?? '');
  const conflicts = sides.map((side, index) => ({ index, line: lines.get(index) ?? 1, ...side }));
  return { clean: false, pieces, conflicts };
}

function toPieces(parts: readonly Part[]): MergePiece[] {
  const pieces: MergePiece[] = [];
  let text = '';
  let index = 0;
  const flush = () => {
    if (text !== '') pieces.push({ kind: 'text', text });
    text = '';
  };
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
    } else {
      flush();
      pieces.push({ kind: 'conflict', index: index++ });
    }
  }
  flush();
  return pieces;
}

/** The line, from 1, on which each conflict begins, by its index, when every conflict holds the given text. */
export function conflictLines(
  pieces: readonly MergePiece[],
  held: (index: number) => string,
): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  let line = 1;
  for (const piece of pieces) {
    if (piece.kind === 'conflict') lines.set(piece.index, line);
    line += newlines(piece.kind === 'conflict' ? held(piece.index) : piece.text);
  }
  return lines;
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
