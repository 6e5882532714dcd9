export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** Replaces ranges of a text. Ranges are in order and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const edit of edits) {
    pieces.push(text.slice(done, edit.start), edit.text);
    done = edit.end;
  }
  return pieces.join('') + text.slice(done);
}
