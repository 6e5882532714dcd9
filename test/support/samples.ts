/** Set by `npm run test:properties`. */
const isFull = process.env['STALLHAND_FULL_SAMPLES'] !== undefined;

/** How many cases a property is tried on: all of `full` in the suite of properties, a tenth in the fast one. */
export function samples(full: number, least = 20): number {
  return isFull ? full : Math.min(full, Math.max(least, Math.ceil(full / 10)));
}
