/** A rectangle of cells: from 0, the ends left out; an end that is open is Infinity. */
export type Area = {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
};

export type A1Range = { readonly title: string | undefined; readonly area: Area };

export const WHOLE: Area = { top: 0, left: 0, bottom: Infinity, right: Infinity };

/**
 * Reads A1 notation: `'My tab'!A2:C`, `Sheet1!5:7`, `'Sheet1'`, `B3`. Undefined where it is none. A name without quotes that
 * could be a cell is one.
 */
export function parseA1(text: string): A1Range | undefined {
  const quoted = /^'((?:[^']|'')+)'(?:!(.+))?$/s.exec(text);
  if (quoted) return within(quoted[1]?.replaceAll("''", "'"), quoted[2]);
  const cells = areaOf(text);
  if (cells) return { title: undefined, area: cells };
  const [, title, rest] = /^([^'!]+)(?:!(.+))?$/s.exec(text) ?? [];
  return title === undefined ? undefined : within(title, rest);
}

function within(title: string | undefined, cells: string | undefined): A1Range | undefined {
  const area = cells === undefined ? WHOLE : areaOf(cells);
  return area && { title, area };
}

function areaOf(text: string): Area | undefined {
  const [from = '', to, ...more] = text.split(':');
  if (more.length > 0) return undefined;
  const start = placeOf(from);
  const end = to === undefined ? start : placeOf(to);
  if (!start || !end) return undefined;
  const single = to === undefined;
  if (single && (start.row === undefined || start.column === undefined)) return undefined;
  return {
    top: start.row ?? 0,
    left: start.column ?? 0,
    bottom: end.row === undefined ? Infinity : end.row + 1,
    right: end.column === undefined ? Infinity : end.column + 1,
  };
}

function placeOf(text: string): { row: number | undefined; column: number | undefined } | undefined {
  const [, letters, digits] = /^([A-Za-z]{1,3})?([1-9]\d{0,7})?$/.exec(text) ?? [];
  if (letters === undefined && digits === undefined) return undefined;
  return {
    row: digits === undefined ? undefined : Number(digits) - 1,
    column: letters === undefined ? undefined : columnOf(letters.toUpperCase()),
  };
}

function columnOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** 0 is A, 26 is AA. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

/** As the service writes a range: quotes only where they are needed. */
export function toA1(title: string, { top, left, bottom, right }: Area): string {
  const name = /^[A-Za-z_][A-Za-z0-9_]*$/.test(title) ? title : `'${title.replaceAll("'", "''")}'`;
  const from = `${columnName(left)}${top + 1}`;
  const to = `${columnName(Math.max(left, right - 1))}${Math.max(top + 1, bottom)}`;
  return `${name}!${from === to ? from : `${from}:${to}`}`;
}
