import { type TimeLimit, timeLimit } from '../diff/shortest-edit.ts';
import type { Document } from '../schema.ts';
import { changeDocument, type DocumentChange } from '../versions/document.ts';
import type { Versions } from './diff3.ts';
import { type JsonObject, type MemberConflict, membersOf, mergeObjects } from './merge-objects.ts';
import { mergeText, type TextMerge } from './merge-text.ts';
import {
  conflictId,
  type DocumentConflict,
  type DocumentMerge,
  fromPointer,
  type Resolution,
  resolveDocument,
  resolveMerge,
  TEXT_FIELDS,
  type TextField,
  toPointer,
} from './resolve-document.ts';

export type { DocumentMerge, Resolution } from './resolve-document.ts';

export type MergeDocumentOptions = {
  readonly resolutions?: readonly Resolution[];
  /** What becomes of the conflicts no resolution names; `fail`, the default, leaves them in the answer. */
  readonly strategy?: 'fail' | 'ours' | 'theirs';
  /** Shared by all fields; 700 ms unless given. */
  readonly limit?: TimeLimit;
};

/**
 * Three-way merge of template documents: HTML, text and css as texts, the schema member by member, every other field
 * as a value.
 *
 * @throws Fault `too_large.merge` when a text differs in too many places to be compared in time
 * @throws Fault `validation_failed.resolution…` when a resolution does not fit, see `resolveDocument`
 */
export function mergeDocument(
  documents: Versions<Document>,
  options: MergeDocumentOptions = {},
): DocumentMerge {
  const { resolutions = [], strategy = 'fail', limit = timeLimit() } = options;
  const resolved = resolveDocument(merge(documents, limit), resolutions);
  if (strategy === 'fail') return resolved;
  return resolveDocument(
    resolved,
    resolved.conflicts.map(({ id }) => ({ id, take: strategy })),
  );
}

function merge(documents: Versions<Document>, limit: TimeLimit): DocumentMerge {
  const texts = TEXT_FIELDS.flatMap((field) => mergeField(field, documents, limit));
  const members = mergeObjects(
    withoutFields(
      documents,
      texts.map(({ field }) => field),
    ),
  );
  // Each member is one of the three documents' own, or a schema put together from theirs.
  const values = members.value as DocumentChange;
  return {
    document: changeDocument(undefined, {
      ...values,
      ...Object.fromEntries(texts.map(({ field, merged }) => [field, holdingOurs(merged)])),
    }),
    conflicts: inFieldOrder([...texts.flatMap(textConflicts), ...memberConflicts(members.conflicts)]),
    pieces: Object.fromEntries(
      texts.flatMap(({ field, merged }) => (merged.clean ? [] : [[field, merged.pieces]])),
    ),
  };
}

type FieldMerge = { readonly field: TextField; readonly merged: TextMerge };

/** Nothing where a document lacks the field: whether it is there is then merged as a value. */
function mergeField(field: TextField, documents: Versions<Document>, limit: TimeLimit): FieldMerge[] {
  const base = documents.base[field];
  const ours = documents.ours[field];
  const theirs = documents.theirs[field];
  if (base === undefined || ours === undefined || theirs === undefined) return [];
  return [{ field, merged: mergeText({ base, ours, theirs }, { limit }) }];
}

function withoutFields(documents: Versions<Document>, fields: readonly string[]): Versions<JsonObject> {
  const without = (document: Document) =>
    Object.fromEntries(Object.entries(membersOf(document)).filter(([field]) => !fields.includes(field)));
  return {
    base: without(documents.base),
    ours: without(documents.ours),
    theirs: without(documents.theirs),
  };
}

function holdingOurs(merged: TextMerge): string {
  if (merged.clean) return merged.text;
  return resolveMerge(merged.pieces, (index) => merged.conflicts[index]?.ours ?? '');
}

function textConflicts({ field, merged }: FieldMerge): DocumentConflict[] {
  if (merged.clean) return [];
  return merged.conflicts.map(({ index, ...conflict }) => ({
    id: conflictId(field, index),
    field,
    ...conflict,
  }));
}

function memberConflicts(conflicts: readonly MemberConflict[]): DocumentConflict[] {
  const counts = new Map<string, number>();
  return conflicts.map(({ path, base, ours, theirs }) => {
    const [field = ''] = path;
    const count = counts.get(field) ?? 0;
    counts.set(field, count + 1);
    return {
      id: conflictId(field, count),
      field: toPointer(path),
      ...(base !== undefined && { base }),
      ...(ours !== undefined && { ours }),
      ...(theirs !== undefined && { theirs }),
    };
  });
}

const FIELD_ORDER = ['html', 'subject', 'preheader', 'text', 'css', 'format', 'schema', 'layout'];

function inFieldOrder(conflicts: readonly DocumentConflict[]): DocumentConflict[] {
  const place = ({ field }: DocumentConflict) => FIELD_ORDER.indexOf(fromPointer(field)[0] ?? '');
  return conflicts.toSorted((one, other) => place(one) - place(other));
}
