import type { Warning } from '../../../language.ts';
import type { CallNode } from '../../engine/ast.ts';
import { applyEdits, type Edit, type PlaceBefore, placeAt } from './apply-edits.ts';
import { readMustaches, type Span } from './read-mustaches.ts';

export type Field = 'html' | 'subject' | 'text';

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

export type Rewritten = {
  readonly text: string;
  readonly placeBefore: PlaceBefore;
  readonly notes: readonly Warning[];
};

/** Writes a text of another service in our syntax; every change is noted once, at its first place. */
export function rewrite(source: string, field: Field, dialect: Dialect): Rewritten {
  const edits: Edit[] = [];
  const notes = new Map<string, Warning>();
  const replace = ({ start, end }: Span, text: string) => edits.push({ start, end, text });
  const note: RewritableCall['note'] = (key, params, { start }) => {
    const id = JSON.stringify([key, params]);
    if (!notes.has(id)) notes.set(id, { key, params, ...placeAt(source, start) });
  };
  readMustaches(source, (spanOf) => ({
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

/** A quoted text in a mustache. */
export function quoted(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", "\\'")}'` : `"${text}"`;
}
