/** The html with spaces for its mustaches: what stands around them keeps its line and column, and reads as html. */
export function blankMustaches(html: string): string {
  return blankBetween(blankBetween(html, '{{!--', '--}}'), '{{', '}}');
}

/** The html with spaces for the comments of html and CSS. */
export function blankComments(html: string): string {
  return blankBetween(blankBetween(html, '<!--', '-->'), '/*', '*/');
}

/** By searching on from place to place: a pattern would begin at every opening that nothing closes, and read to the end each time. */
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
