import { z } from 'zod';
import { BrandFields, type Brand as StoredBrand } from '../../src/brand/brand.ts';
import { localizeWarning, type Warning } from '../../src/language.ts';
import type { Call } from '../contract/define.ts';

const BrandWarning = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  pair: z.string().optional().meta({ description: 'Two colors, such as text/background' }),
  ratio: z.number().optional().meta({ description: 'Contrast of the pair, from 1 to 21' }),
});

/** A brand in answers: the fields that are set. */
export const Brand = z.object({
  brand: z.string(),
  version: z.number().meta({ description: 'For expected_version; 0 until the first save' }),
  ...BrandFields.shape,
  updated_at: z.iso.datetime().nullable(),
  warnings: z.array(BrandWarning),
});

const presentWarnings = (warnings: readonly Warning[], call: Call) =>
  warnings.map((warning) => localizeWarning(warning, call));

/** A brand as the caller sees it, with what is doubtful about it. */
export async function presentBrand({ brand, version, fields, updatedAt }: StoredBrand, call: Call) {
  const warnings = await call.app.brands.doubtsAbout(call.caller.accountId, { fields });
  return {
    brand,
    version,
    ...fields,
    updated_at: updatedAt?.toISOString() ?? null,
    warnings: presentWarnings(warnings, call),
  };
}
