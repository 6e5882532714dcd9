/** Parses a number of a data attribute; `standard` when it is not a number or below `least`. */
export function dataNumber(value: string | undefined, standard: number, least = 0): number {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= least ? number : standard;
}
