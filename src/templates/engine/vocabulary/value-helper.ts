import type { Meter } from '../render/meter.ts';
import type { JsonObject } from '../variable.ts';

/** What a helper is called with besides its arguments. */
export type HelperCall = {
  /** Named arguments. */
  readonly hash: Readonly<Record<string, unknown>>;
  /** The data as a whole. */
  readonly root: JsonObject;
  readonly meter: Meter;
};

/** A helper that returns a value. It never throws for a bad argument, it returns an empty text. */
export type ValueHelper = (args: readonly unknown[], call: HelperCall) => unknown;

/** A placeholder that a preview leaves in place of a missing value passes through every helper. */
export function isKept(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('{{') && value.endsWith('}}');
}

/** The number a value stands for; null for what is none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '' || value.length > 400) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
