import type { Meter } from '../render/meter.ts';
import type { JsonObject } from '../variable.ts';

/** What a helper is called with besides its arguments. */
export type HelperCall = {
  /** The helper's name. */
  readonly name: string;
  /** Named arguments. */
  readonly hash: Readonly<Record<string, unknown>>;
  /** The data as a whole. */
  readonly root: JsonObject;
  readonly meter: Meter;
};

/** A helper that returns a value. It never throws for a bad argument, it returns an empty text. */
export type ValueHelper = (args: readonly unknown[], call: HelperCall) => unknown;

/** Says that a helper can make nothing of a value, and returns what it prints instead; no value is no surprise. */
export function unusable(value: unknown, { name, meter }: Pick<HelperCall, 'name' | 'meter'>): '' {
  const isThere = value !== undefined && value !== null && value !== '';
  if (isThere) meter.warn({ key: 'value_unusable', params: { helper: name, variable: shown(value) } });
  return '';
}

const SHOWN = 60;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

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
