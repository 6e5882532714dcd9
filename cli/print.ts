import { isObject } from './is-object.ts';

/**
 * An answer as a person reads it at a terminal: lists as tables, objects as `name: value` lines, long texts under their
 * name. Everything from the server loses control characters, which could rewrite the terminal.
 */
export function printed(value: unknown, columns = 100): string {
  if (Array.isArray(value)) return table(value, columns);
  if (!isObject(value)) return plain(value);
  const { items, next_cursor: cursor, ...others } = value;
  if (!Array.isArray(items)) return lines(value, columns);
  const more = typeof cursor === 'string' ? [`More: add --cursor ${plain(cursor)}`] : [];
  const rest = Object.keys(others).length > 0 ? [lines(others, columns)] : [];
  return [table(items, columns), ...rest, ...more].join('\n');
}

/** A table of as many columns as fit; the whole of each row is in --json. */
function table(rows: readonly unknown[], columns: number): string {
  if (rows.length === 0) return 'None.';
  if (!rows.every(isObject)) return rows.map((row) => plain(row)).join('\n');
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isShort(row[name]))))];
  // People know a thing by its name.
  if (names.includes('name')) names.sort((a, b) => Number(a === 'id') - Number(b === 'id'));
  const widths = names.map((name) =>
    Math.min(WIDEST, Math.max(name.length, ...rows.map((row) => cell(row[name]).length))),
  );
  const fitting = widths.filter((_width, index) => sum(widths.slice(0, index + 1)) + 2 * index <= columns);
  const shown = names.slice(0, Math.max(1, fitting.length));
  const line = (cells: readonly string[]) =>
    cells
      .map((text, index) => clip(text, widths[index] ?? WIDEST).padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(shown), ...rows.map((row) => line(shown.map((name) => cell(row[name]))))].join('\n');
}

const WIDEST = 48;

function lines(value: Readonly<Record<string, unknown>>, columns: number): string {
  return Object.entries(value)
    .filter(([, part]) => part !== null && part !== undefined)
    .map(([name, part]) => member(name, part, columns))
    .join('\n');
}

function member(name: string, part: unknown, columns: number): string {
  if (isShort(part)) return `${name}: ${plain(part)}`;
  if (Array.isArray(part) && part.length === 0) return `${name}: none`;
  const text = typeof part === 'string' ? plain(part, true) : nested(part, columns);
  return `${name}:\n${text.replace(/^/gm, '  ')}`;
}

function nested(part: unknown, columns: number): string {
  return Array.isArray(part)
    ? table(part, columns - 2)
    : isObject(part)
      ? lines(part, columns - 2)
      : plain(part);
}

function isShort(part: unknown): boolean {
  if (Array.isArray(part))
    return part.length > 0 && part.every((one) => typeof one !== 'object') && cell(part).length <= 80;
  return (
    typeof part !== 'object' && !(typeof part === 'string' && (part.includes('\n') || part.length > 200))
  );
}

function cell(part: unknown): string {
  return part === null || part === undefined
    ? ''
    : Array.isArray(part)
      ? part.map((one) => plain(one)).join(', ')
      : isObject(part)
        ? '…'
        : plain(part);
}

function plain(value: unknown, multiline = false): string {
  if (Array.isArray(value)) return value.map((one) => plain(one)).join(', ');
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replace(multiline ? /[^\P{Cc}\n\t]/gu : /\p{Cc}+/gu, ' ');
}

function clip(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
