import { z } from 'zod';

/** The brand that is meant where none is named. */
export const DEFAULT_BRAND = 'default';

export const LIMITS = {
  nameChars: 60,
  addressChars: 300,
  footerChars: 1_000,
  urlChars: 2_000,
  fontChars: 60,
  links: 20,
  languages: 20,
  samples: 10,
  forbiddenWords: 100,
  /** Brands of an account whose plan includes several. */
  brands: 20,
} as const;

/** Six hexadecimal digits, in lowercase. */
const Color = z.string().regex(/^#[0-9a-f]{6}$/);

/** How it sounds, as its owner describes it. */
const Voice = z.object({
  tone: z.string(),
  audience: z.string(),
  do: z.string(),
  avoid: z.string(),
  samples: z.array(z.string()),
  forbidden_words: z.array(z.string()),
});

/**
 * What is set of a brand; what is not set is absent. Addresses of logos are `https:` or `asset:`, fonts are names of families
 * or `asset:`.
 * In: the fields of a brand, as they are stored. Out: their types and limits. Invariant: colors have six hexadecimal
 * digits.
 */
export const BrandFields = z
  .object({
    name: z.string(),
    logos: z.object({ light: z.string(), dark: z.string() }).partial(),
    colors: z.object({ primary: Color, accent: Color, background: Color, text: Color }).partial(),
    fonts: z.object({ heading: z.string(), body: z.string() }).partial(),
    voice: Voice.partial(),
    address: z.string(),
    links: z.record(z.string(), z.string()),
    unsubscribe_url: z.string(),
    footer: z.string(),
    languages: z.array(z.string()),
  })
  .partial();
export type BrandFields = Partial<z.output<typeof BrandFields>>;
export type BrandColors = NonNullable<BrandFields['colors']>;

/** A brand as callers see it. Version 0 is one that was never saved. */
export type Brand = {
  readonly brand: string;
  readonly version: number;
  readonly fields: BrandFields;
  readonly updatedAt: Date | null;
};

/** A change: what is absent stays, null removes, and a field of an object changes alone. */
export type BrandChange = {
  readonly [Field in keyof BrandFields]?: Change<NonNullable<BrandFields[Field]>> | null | undefined;
};

type Change<Value> = Value extends readonly unknown[] | string
  ? Value
  : { readonly [Key in keyof Value]?: Value[Key] | null | undefined };

/** The entity tag of a brand, which is its version. */
export function versionTag({ brand, version }: { readonly brand: string; readonly version: number }): string {
  return `${brand}-${version}`;
}
