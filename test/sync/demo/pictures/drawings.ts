import { HOUSEHOLD } from './household.ts';
import { LIVING } from './living.ts';
import { PANTRY } from './pantry.ts';
import type { Drawing } from './shapes.ts';
import { TABLEWARE } from './tableware.ts';

/**
 * The pictures of the demo store's products, by their handles, drawn flat: a wall, a circle of light, a table, and what is for
 * sale on it.
 */
export const DRAWINGS: Readonly<Record<string, Drawing>> = {
  ...TABLEWARE,
  ...HOUSEHOLD,
  ...PANTRY,
  ...LIVING,
};
