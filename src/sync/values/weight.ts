import type { StoreVariant, WeightUnit } from '../ports/store-client.ts';

export const UNIT_WITHOUT_WEIGHT: WeightUnit = 'KILOGRAMS';

/** Whole grams. Worked out at 15 digits: 0.5015 kg are 502 g, not the 501.4999… of binary numbers. */
export function gramsOf({ value, unit }: NonNullable<StoreVariant['weight']>): number {
  return Math.round(Number((value * GRAMS[unit]).toPrecision(15)));
}

const GRAMS: Readonly<Record<WeightUnit, number>> = {
  GRAMS: 1,
  KILOGRAMS: 1000,
  OUNCES: 28.349523125,
  POUNDS: 453.59237,
};
