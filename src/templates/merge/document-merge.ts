import type { Document } from '../schema.ts';
import type { Json } from './merge-objects.ts';
import type { MergePiece } from './merge-text.ts';

/** A template document merged from three. */
export type DocumentMerge = {
  /** The merged document; a place still in conflict holds ours. */
  readonly document: Document;
  readonly conflicts: readonly DocumentConflict[];
  /** What the texts in conflict are put together from; piece conflict 0 of `html` has the id `html-1`. */
  readonly pieces: { readonly [Field in TextField]?: readonly MergePiece[] };
};

/** A place of a document that both sides changed, in different ways. A side that lacks it is left out. */
export type DocumentConflict = {
  /** The field and a count, such as `html-1`; the same three documents always give the same ids. */
  readonly id: string;
  /** A field, or a place in it as in a JSON pointer: `schema/properties/name`. */
  readonly field: string;
  readonly base?: Json;
  readonly ours?: Json;
  readonly theirs?: Json;
  /** For a field merged as text: the line of the merged text, from 1. */
  readonly line?: number;
};

/** What to put at a conflict. `text` goes with `take: 'text'`; for a place in the schema it is JSON. */
export type Resolution = {
  readonly id: string;
  readonly take: 'ours' | 'theirs' | 'base' | 'text';
  readonly text?: string | undefined;
};

/** The fields merged as texts. */
export const TEXT_FIELDS = ['html', 'text', 'css'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export function conflictId(field: string, index: number): string {
  return `${field}-${index + 1}`;
}

/** The place of a member as in a JSON pointer (RFC 6901), without the slash at the front. */
export function toPointer(path: readonly string[]): string {
  return path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
}

export function fromPointer(pointer: string): string[] {
  return pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The merged text with the chosen text in place of each conflict. The strategies are choosers too: all ours, all theirs. */
export function resolveMerge(pieces: readonly MergePiece[], choose: (index: number) => string): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : choose(piece.index))).join('');
}
