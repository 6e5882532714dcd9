/** Replaces expressions with spaces, so that the rest keeps its line and column. */
export function blankMustaches(html: string): string {
  return blankBetween(blankBetween(html, '{{!--', '--}}'), '{{', '}}');
}

/** Replaces comments of HTML and CSS with spaces. */
export function blankComments(html: string): string {
  return blankBetween(blankBetween(html, '<!--', '-->'), '/*', '*/');
}

/** Searches forward: a pattern would rescan the text from every unclosed opening. */
function blankBetween(text: string, open: string, close: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, done)) {
    const closing = text.indexOf(close, start + open.length);
    if (closing < 0) break;
    const end = closing + close.length;
    pieces.push(text.slice(done, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    done = end;
  }
  return pieces.join('') + text.slice(done);
}
