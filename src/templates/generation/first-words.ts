const LENGTH = 200;

/** The beginning of what a caller asked for, in one line: the message of the version made for it. */
export function firstWords(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LENGTH
    ? `${line
        .slice(0, LENGTH - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
    : line;
}
