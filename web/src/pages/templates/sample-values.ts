/** Values of variables, as a sample or a person gives them. */
export type Values = Readonly<Record<string, unknown>>;

/** The value at a path such as `order.number`. */
export function valueAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isValues(at) ? at[name] : undefined), values);
}

/** The same values with another one at a path; objects on the way are made where there are none. */
export function withValueAt(values: Values, path: string, value: unknown): Values {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...values, [first]: value };
  const inner = values[first];
  return { ...values, [first]: withValueAt(isValues(inner) ? inner : {}, rest.join('.'), value) };
}

/** What a person typed as a value of a type: a number for a number, or the text. */
export function typedValue(text: string, type: string): unknown {
  if (type === 'number' || type === 'integer') {
    const value = Number(text);
    return text.trim() === '' || Number.isNaN(value) ? text : value;
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** A value as one line of text; undefined for a list or an object, which does not fit into one. */
export function valueText(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? undefined : String(value);
}

/** How often a source reads a variable. */
export function timesUsed(source: string, name: string): number {
  const expression = new RegExp(`\\{\\{[^}]*?(?<![\\w.])${RegExp.escape(name)}(?![\\w.])[^}]*\\}\\}`, 'g');
  return [...source.matchAll(expression)].length;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
