/** A text on one line. */
export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** The end of a list in lines: where the next page starts. */
export function nextLine(cursor: string | null): string[] {
  return cursor === null ? [] : [`next_cursor: ${cursor}`];
}
