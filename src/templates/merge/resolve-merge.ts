import type { MergePiece } from './merge-text.ts';

/** The merged text with the chosen text in place of each conflict. The strategies are choosers too: all ours, all theirs. */
export function resolveMerge(pieces: readonly MergePiece[], choose: (index: number) => string): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : choose(piece.index))).join('');
}
