import { setImmediate } from 'node:timers/promises';
import type { Warning } from '../../../language.ts';
import { newId } from '../../../platform/ids.ts';
import type { CallNode } from '../../engine/language/ast.ts';
import { changeDocument } from '../../versions/document.ts';
import type { ImportedVersion } from '../imported-template.ts';
import { readExpressions, type Span } from './read-expressions.ts';

type Field = 'html' | 'subject' | 'text';

/** How a service's own way of writing becomes ours. */
export type Dialect = {
  /** Helpers under another name, which mean the same. */
  readonly helpers: Readonly<Record<string, string>>;
  /** Marks in the text itself, such as `%recipient.name%`. */
  readonly marks: readonly Mark[];
  /** Calls that need more than another name. */
  call?(call: RewritableCall): void;
};

export type Mark = {
  readonly pattern: RegExp;
  readonly instead: (match: RegExpExecArray, field: Field) => string;
};

export type RewritableCall = {
  readonly node: CallNode;
  readonly field: Field;
  readonly source: string;
  spanOf(node: { readonly loc?: CallNode['loc'] }): Span;
  replace(span: Span, text: string): void;
  note(key: Warning['key'], params: NonNullable<Warning['params']>, span: Span): void;
};

type Rewritten = {
  readonly text: string;
  readonly placeBefore: PlaceBefore;
  readonly notes: readonly Warning[];
};

/**
 * Writes a text of another service in our syntax; every change is noted once, at its first place.
 *
 * In: a source and the dialect of its service. Out: our syntax, notes, and where each place was before. Invariant:
 * what the dialect does not name stays as it was, to the byte.
 */
export function rewrite(source: string, field: Field, dialect: Dialect): Rewritten {
  const edits: Edit[] = [];
  const notes = new Map<string, Warning>();
  const replace = ({ start, end }: Span, text: string) => edits.push({ start, end, text });
  const note: RewritableCall['note'] = (key, params, { start }) => {
    const id = JSON.stringify([key, params]);
    if (!notes.has(id)) notes.set(id, { key, params, ...placeAt(source, start) });
  };
  readExpressions(source, (spanOf) => ({
    call(node, chained) {
      renameHelper(node, chained);
      dialect.call?.({ node, field, source, spanOf, replace, note });

      function renameHelper(call: CallNode, isChained: boolean): void {
        const from = call.path.original;
        const to = call.params.length > 0 && Object.hasOwn(dialect.helpers, from) && dialect.helpers[from];
        if (!to) return;
        const span = spanOf(call.path);
        replace(span, to);
        note('import_helper', { from, to }, span);
        if (call.type !== 'BlockStatement' || isChained) return;
        const close = source.lastIndexOf(from, spanOf(call).end - from.length);
        replace({ start: close, end: close + from.length }, to);
      }
    },
  }));
  for (const { pattern, instead } of dialect.marks) {
    for (const match of source.matchAll(pattern)) {
      const span = { start: match.index, end: match.index + match[0].length };
      const text = instead(match, field);
      replace(span, text);
      note('import_variable', { from: match[0], to: text }, span);
    }
  }
  return { ...applyEdits(source, edits), notes: [...notes.values()].sort(byPlace) };
}

function byPlace(a: Warning, b: Warning): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.col ?? 0) - (b.col ?? 0);
}

/** A quoted text in an expression. */
export function quoted(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", "\\'")}'` : `"${text}"`;
}

/** Puts `text` in the place of what stands between two offsets. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** A place in a text, counted from 1. */
type Place = { readonly line: number; readonly col: number };

/** Turns a place in the text after the edits into the place it had before. */
export type PlaceBefore = (place: Place) => Place;

/** Makes all edits that do not overlap an earlier one. */
export function applyEdits(text: string, edits: readonly Edit[]): { text: string; placeBefore: PlaceBefore } {
  const made = inOrder(edits);
  let edited = '';
  let copied = 0;
  for (const edit of made) {
    edited += text.slice(copied, edit.start) + edit.text;
    copied = edit.end;
  }
  edited += text.slice(copied);
  return {
    text: edited,
    placeBefore: (place) => placeAt(text, offsetBefore(made, offsetAt(edited, place))),
  };
}

/** The offset of a place; lines end as Handlebars counts them. */
export function offsetAt(text: string, { line, col }: Place): number {
  let start = 0;
  const breaks = text.matchAll(/\r\n?|\n/g);
  for (let left = line - 1; left > 0; left--) {
    const next = breaks.next();
    if (next.done) break;
    start = next.value.index + next.value[0].length;
  }
  return Math.min(text.length, start + col - 1);
}

function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split(/\r\n?|\n/);
  return { line: lines.length, col: (lines.at(-1)?.length ?? 0) + 1 };
}

function inOrder(edits: readonly Edit[]): Edit[] {
  const made: Edit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start >= (made.at(-1)?.end ?? 0)) made.push(edit);
  }
  return made;
}

function offsetBefore(edits: readonly Edit[], offset: number): number {
  let shift = 0;
  for (const { start, end, text } of edits) {
    if (start + shift > offset) break;
    if (offset < start + shift + text.length) return start;
    shift += text.length - (end - start);
  }
  return offset - shift;
}

type Content = {
  readonly title: string;
  readonly message: string;
  readonly html: string;
  readonly subject?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly layout?: string | undefined;
};

/** A version whose texts are rewritten from another service's syntax. Others are served between two of them. */
export async function foreignVersion(
  { title, message, html, subject, text, layout }: Content,
  dialect: Dialect,
): Promise<{ version: ImportedVersion; notes: readonly Warning[] }> {
  await setImmediate();
  const rewritten = {
    html: rewrite(html, 'html', dialect),
    subject: rewrite(subject ?? '', 'subject', dialect),
    text: rewrite(text ?? '', 'text', dialect),
  };
  const document = changeDocument(undefined, {
    html: rewritten.html.text,
    subject: rewritten.subject.text,
    text: rewritten.text.text,
    layout,
  });
  const version = {
    id: newId('ver'),
    title,
    message: message.slice(0, 500).toWellFormed(),
    read: async () => document,
    placeBefore: Object.fromEntries(
      Object.entries(rewritten).map(([field, one]) => [field, one.placeBefore]),
    ),
  };
  return { version, notes: Object.values(rewritten).flatMap((one) => one.notes) };
}
