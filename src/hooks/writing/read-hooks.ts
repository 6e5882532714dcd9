/** Receives the next piece of a text. */
export type HookReader = (piece: string) => void;

/**
 * Parses the streamed text of `{"…": [{…}, {…}]}` and calls `found` with each object of the list as soon as it is complete.
 * Skips prose and reasoning around the JSON, and objects that do not parse.
 */
export function createHookReader(found: (object: unknown) => void): HookReader {
  const scanner = createScanner(found);
  let outside = '';
  let thinking = false;

  return (piece) => {
    for (const sign of piece) {
      if (!thinking) scanner.read(sign);
      if (scanner.isInside()) continue;
      // Reasoning before the answer can contain braces too.
      outside = (outside + sign).slice(-THINK_END.length);
      thinking = thinking ? outside !== THINK_END : outside.endsWith(THINK_START);
    }
  };
}

const THINK_START = '<think>';
const THINK_END = '</think>';
/** The open brackets of an object in the list. */
const LIST_ITEM = '{[{';

function createScanner(found: (object: unknown) => void) {
  let open = '';
  let quoted = false;
  let escaped = false;
  let object = '';

  function readPlain(sign: string): void {
    if (sign === '"') quoted = open !== '';
    else if (sign === '{' || (sign === '[' && open !== '')) open += sign;
    else if (sign === '}' || sign === ']') close();
  }

  function close(): void {
    const whole = open === LIST_ITEM;
    open = open.slice(0, -1);
    if (!whole) return;
    const parsed = parse(object);
    object = '';
    if (parsed !== undefined) found(parsed);
  }

  return {
    isInside: () => open !== '',
    read(sign: string): void {
      if (open.startsWith(LIST_ITEM) || (open === '{[' && sign === '{')) object += sign;
      if (escaped) escaped = false;
      else if (quoted && sign === '\\') escaped = true;
      else if (quoted) quoted = sign !== '"';
      else readPlain(sign);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
