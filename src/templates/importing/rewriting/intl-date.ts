/** Letters of a date pattern, longest first, and the option of `Intl.DateTimeFormat` each stands for. */
const TOKENS: readonly (readonly [token: string, option: string])[] = [
  ['YYYY', 'year="numeric"'],
  ['MMMM', 'month="long"'],
  ['dddd', 'weekday="long"'],
  ['MMM', 'month="short"'],
  ['ddd', 'weekday="short"'],
  ['YY', 'year="2-digit"'],
  ['MM', 'month="2-digit"'],
  ['DD', 'day="2-digit"'],
  ['HH', 'hour="2-digit" hour12=false'],
  ['hh', 'hour="2-digit" hour12=true'],
  ['mm', 'minute="2-digit"'],
  ['ss', 'second="2-digit"'],
  ['M', 'month="numeric"'],
  ['D', 'day="numeric"'],
  ['H', 'hour="numeric" hour12=false'],
  ['h', 'hour="numeric" hour12=true'],
  ['m', 'minute="numeric"'],
  ['s', 'second="numeric"'],
  ['A', ''],
  ['a', ''],
];

/**
 * The options that show the same parts of a date as a pattern such as `MMMM D, YYYY`; their order follows the locale.
 * Undefined for a pattern with other letters in it, or with the same part twice.
 */
export function intlDate(pattern: string): string | undefined {
  const options: string[] = [];
  let rest = pattern;
  while (rest !== '') {
    const found = TOKENS.find(([token]) => rest.startsWith(token));
    if (!found && /^\p{L}/u.test(rest)) return undefined;
    if (found?.[1]) options.push(found[1]);
    rest = rest.slice(found ? found[0].length : 1);
  }
  const names = options.map((option) => option.slice(0, option.indexOf('=')));
  return options.length > 0 && new Set(names).size === names.length ? options.join(' ') : undefined;
}
