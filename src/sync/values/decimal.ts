/**
 * A number as plain decimal text: no exponent, no zeros at the end. It is taken at the 15 digits that a spreadsheet
 * shows, and at 9 decimals, so that what a formula adds up in binary numbers comes out: `=0.1+0.2` is `0.3`. Null where
 * it has more than 15 digits before its point.
 */
export function decimalOf(number: number): string | null {
  if (!(Math.abs(number) < 10 ** EXACT_DIGITS)) return null;
  return normalDecimal(Number.isInteger(number) ? String(number) : PLAIN.format(number));
}

/** Digits that any decimal keeps when it is made a binary number and back. */
const EXACT_DIGITS = 15;

const PLAIN = new Intl.NumberFormat('en-US', {
  useGrouping: false,
  maximumSignificantDigits: EXACT_DIGITS,
  maximumFractionDigits: 9,
  roundingPriority: 'lessPrecision',
});

/** Decimal text in its one spelling: `007.50` is `7.5`, `-0.0` is `0`. Null: it is no decimal text. */
export function normalDecimal(text: string): string | null {
  // Most are such: without the parts of 100,000 of them there is half as much to collect.
  if (NORMAL.test(text)) return text;
  const parts = DECIMAL.exec(text);
  if (!parts) return null;
  const [, sign = '', whole = '', fraction = ''] = parts;
  const trimmed = fraction.replace(/0+$/, '');
  const size = `${whole || '0'}${trimmed ? `.${trimmed}` : ''}`;
  return size === '0' ? size : sign + size;
}

const NORMAL = /^(?:0|-?[1-9]\d*)$/;
const DECIMAL = /^(-?)0*(\d*)(?:\.(\d+))?$/;

/** The number a decimal text is, where it comes back from it unchanged. */
export function exactNumber(text: string): number | null {
  const number = Number(text);
  return decimalOf(number) === normalDecimal(text) ? number : null;
}

/** A normal decimal with at least this many decimals. */
export function atScale(decimal: string, scale: number): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const padded = fraction.padEnd(scale, '0');
  return padded ? `${whole}.${padded}` : whole;
}
