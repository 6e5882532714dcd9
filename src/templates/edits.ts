import { Fault, type FaultKey, type FaultParams } from '../errors.ts';
import type { Document } from './schema.ts';
import type { DocumentChange } from './versions/document.ts';

export const EDITED_FIELDS = ['html', 'subject', 'preheader', 'text', 'css'] as const;

/** Puts `new` in the one place where `old` stands. */
export type Edit = {
  readonly old: string;
  readonly new: string;
  readonly field: (typeof EDITED_FIELDS)[number];
};

/** How many lines an error names. */
const NAMED_LINES = 10;

/**
 * The change that the edits make of a document, one after the other.
 * @throws Fault validation_failed where `old` does not stand exactly once, or a field is sent whole as well
 */
export function editDocument(
  document: Document,
  change: DocumentChange,
  edits: readonly Edit[],
): DocumentChange {
  const edited: Record<string, string> = {};
  for (const [index, edit] of edits.entries()) {
    const { field } = edit;
    if (change[field] !== undefined) throw fault('validation_failed.edit_and_field', index, { field });
    edited[field] = replaceOnce(edited[field] ?? document[field] ?? '', edit, index);
  }
  return { ...change, ...edited };
}

function replaceOnce(text: string, edit: Edit, index: number): string {
  // A model writes line breaks its way, whatever the text has.
  const [old, replacement] = text.includes('\r\n')
    ? [windows(edit.old), windows(edit.new)]
    : [edit.old, edit.new];
  const places = placesOf(text, old);
  const [place] = places;
  const { field } = edit;
  if (place === undefined) {
    const isNear = spaced(text).includes(spaced(old).trim());
    throw fault(isNear ? 'validation_failed.edit_spaces' : 'validation_failed.edit_absent', index, { field });
  }
  if (places.length > 1) {
    const lines = places.slice(0, NAMED_LINES).map((at) => lineOf(text, at));
    throw fault('validation_failed.edit_repeated', index, {
      field,
      count: places.length,
      lines: [...new Set(lines)].join(', '),
    });
  }
  return text.slice(0, place) + replacement + text.slice(place + old.length);
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

function lineOf(text: string, place: number): number {
  return text.slice(0, place).split('\n').length;
}

function windows(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function fault(key: FaultKey, index: number, params: FaultParams): Fault {
  const said = { ...params, number: index + 1 };
  return new Fault(key, said, { errors: [{ loc: ['body', 'edits', index, 'old'], key, params: said }] });
}
