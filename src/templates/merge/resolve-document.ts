import { Fault } from '../../errors.ts';
import type { Document } from '../schema.ts';
import { changeDocument } from '../versions/document.ts';
import { isObject, type Json, type JsonObject, membersOf, withMember } from './merge-objects.ts';
import { conflictLines, type MergePiece } from './merge-text.ts';

/**
 * The merge with some of its conflicts settled; the others stay in `conflicts`, under the same ids. Of two resolutions
 * for one conflict the last counts.
 *
 * @throws Fault `validation_failed.resolution` naming the ids that are no conflicts of this merge,
 * `validation_failed.resolution_text` when a text is missing, `validation_failed.resolution_json` when a place in the
 * schema does not get JSON
 */
export function resolveDocument(merge: DocumentMerge, resolutions: readonly Resolution[]): DocumentMerge {
  const chosen = choices(merge, resolutions);
  const left = merge.conflicts.filter(({ id }) => !chosen.has(id));
  const ours = new Map(left.map((conflict) => [conflict.id, textOf(conflict.ours)]));
  const texts = resolvedTexts(merge, chosen, (id) => ours.get(id) ?? '');
  return {
    document: changeDocument(
      withMembers(merge, chosen),
      Object.fromEntries(texts.map(({ field, text }) => [field, text])),
    ),
    conflicts: left.map((conflict) => relocated(conflict, texts)),
    pieces: Object.fromEntries(
      texts.flatMap(({ field, pieces, lines }) => (lines.size > 0 ? [[field, pieces]] : [])),
    ),
  };
}

/** What is put at each conflict named, by its id; undefined where the side taken has nothing. */
type Choices = ReadonlyMap<string, Json | undefined>;

function choices({ conflicts }: DocumentMerge, resolutions: readonly Resolution[]): Choices {
  const byId = new Map(conflicts.map((conflict) => [conflict.id, conflict]));
  const unknown = resolutions.filter(({ id }) => !byId.has(id)).map(({ id }) => id);
  if (unknown.length > 0) throw new Fault('validation_failed.resolution', { id: unknown.join(', ') });
  const chosen = new Map<string, Json | undefined>();
  for (const resolution of resolutions) {
    const conflict = byId.get(resolution.id);
    if (conflict) chosen.set(conflict.id, choice(conflict, resolution));
  }
  return chosen;
}

function choice(conflict: DocumentConflict, { id, take, text }: Resolution): Json | undefined {
  if (take !== 'text') return conflict[take];
  if (text === undefined) throw new Fault('validation_failed.resolution_text', { id });
  const path = fromPointer(conflict.field);
  return path[0] === 'schema' ? parsed(id, text, path.length === 1) : text;
}

function parsed(id: string, text: string, asObject: boolean): Json {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Fault('validation_failed.resolution_json', { id }, { cause });
  }
  if (!asObject || isObject(value)) return value;
  throw new Fault('validation_failed.resolution_json', { id });
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

type ResolvedText = {
  readonly field: TextField;
  readonly pieces: readonly MergePiece[];
  readonly text: string;
  readonly lines: ReadonlyMap<string, number>;
};

function resolvedTexts(merge: DocumentMerge, chosen: Choices, held: (id: string) => string): ResolvedText[] {
  return TEXT_FIELDS.flatMap((field) => {
    const before = merge.pieces[field];
    if (!before) return [];
    const heldAt = (index: number) => held(conflictId(field, index));
    const pieces = before.map((piece) => settled(field, piece, chosen));
    const lines = [...conflictLines(pieces, heldAt)].map(
      ([index, line]) => [conflictId(field, index), line] as const,
    );
    return [{ field, pieces, text: resolveMerge(pieces, heldAt), lines: new Map(lines) }];
  });
}

function settled(field: TextField, piece: MergePiece, chosen: Choices): MergePiece {
  if (piece.kind === 'text') return piece;
  const id = conflictId(field, piece.index);
  return chosen.has(id) ? { kind: 'text', text: textOf(chosen.get(id)) } : piece;
}

/** The document with the choices made at members; those in texts are in the pieces. */
function withMembers({ document, conflicts }: DocumentMerge, chosen: Choices): Document {
  const settledMembers = conflicts.filter(({ id, line }) => line === undefined && chosen.has(id));
  const members = settledMembers.reduce<JsonObject>(
    (object, { id, field }) => withMember(object, fromPointer(field), chosen.get(id)),
    membersOf(document),
  );
  // Only members in conflict were set, each to what a document held there or to a text or JSON checked above.
  return members as Document;
}

function relocated(conflict: DocumentConflict, texts: readonly ResolvedText[]): DocumentConflict {
  const line = texts.find(({ lines }) => lines.has(conflict.id))?.lines.get(conflict.id);
  return line === undefined ? conflict : { ...conflict, line };
}

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
