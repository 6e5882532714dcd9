/** Puts `text` in the place of what stands between two offsets. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** A place in a text, counted from 1. */
export type Place = { readonly line: number; readonly col: number };

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

export function placeAt(text: string, offset: number): Place {
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
