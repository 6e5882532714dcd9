/**
 * The JSON object of a text: the text itself, or the first whole object in it that is not within reasoning
 * (`<think>`). Undefined where there is none.
 */
export function findJson(text: string): unknown {
  const said = withoutReasoning(text).trim();
  const whole = parse(said);
  if (whole !== undefined) return whole;
  let start = said.indexOf('{');
  for (let tries = 0; start >= 0 && tries < MAX_ATTEMPTS; tries++) {
    const end = endOfObject(said, start);
    const object = end === undefined ? undefined : parse(said.slice(start, end));
    if (object !== undefined) return object;
    start = said.indexOf('{', start + 1);
  }
  return undefined;
}

/** Each try reads the rest of the text, so a text of nothing but braces must come to an end. */
const MAX_ATTEMPTS = 50;

function withoutReasoning(text: string): string {
  let kept = '';
  let at = 0;
  for (let open = text.indexOf('<think>'); open >= 0; open = text.indexOf('<think>', at)) {
    const close = text.indexOf('</think>', open);
    if (close < 0) break;
    kept += text.slice(at, open);
    at = close + '</think>'.length;
  }
  return kept + text.slice(at);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where the object that begins at `start` ends, braces in strings not counted. One pass, whatever the text holds. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (quoted && sign === '\\') at++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === '{') depth++;
    else if (!quoted && sign === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
