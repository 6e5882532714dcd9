/** Rates of television and cameras by their usual names: they are this many thousand frames in 1,001 seconds. */
export const NTSC: Readonly<Record<number, number>> = { 23.976: 24, 29.97: 30, 59.94: 60 };

/** The exact frames a second of a requested rate; undefined for one that no video has. */
export function exactRate(fps: number): number | undefined {
  if (Number.isInteger(fps)) return fps;
  const thousands = NTSC[fps];
  return thousands && (thousands * 1000) / 1001;
}

/** The name of an exact rate, such as 29.97. */
export function nameOfRate(exact: number): number {
  return Math.round(exact * 1000) / 1000;
}

/** The rate as a fraction, as ffmpeg takes it without rounding. */
export function fractionOfRate(exact: number): string {
  return Number.isInteger(exact) ? String(exact) : `${Math.round(exact * 1001)}/1001`;
}
