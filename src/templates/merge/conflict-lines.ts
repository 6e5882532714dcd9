import type { MergePiece } from './merge-text.ts';

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
