import { z } from 'zod';
import { DEFAULT_BRAND, LIMITS } from '../../src/brand/brand.ts';
import type { InputKey } from '../../src/language.ts';

const ONE_LINE = /^\P{Cc}*$/u;
// With line breaks and tabs.
const TEXT = /^(?:\P{Cc}|[\n\r\t])*$/u;
const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const ASSET = /^asset:[^\s"'()<>,?#&;]{1,200}$/i;
// Nothing that ends a declaration of CSS, or begins another.
const FONT = /^(?:asset:[^\s"'()<>,?#&;]{1,200}|[\p{L}\p{N}][\p{L}\p{M}\p{N} _-]*)$/u;

const line = (chars: number) =>
  z
    .string()
    .trim()
    .max(chars)
    .regex(ONE_LINE, 'one_line' satisfies InputKey);
const text = (chars: number) =>
  z
    .string()
    .trim()
    .max(chars)
    .regex(TEXT, 'brand_text' satisfies InputKey);

const file = z
  .string()
  .max(LIMITS.urlChars)
  .refine((address) => ASSET.test(address) || isAddress(address, ['https:']), 'brand_file' satisfies InputKey)
  .nullable();
const link = z
  .string()
  .max(LIMITS.urlChars)
  .refine((address) => isAddress(address, ['https:', 'mailto:', 'tel:']), 'brand_link' satisfies InputKey)
  .nullable();
const color = z
  .string()
  .regex(COLOR, 'hex_color' satisfies InputKey)
  .nullable();
const font = z
  .string()
  .trim()
  .max(LIMITS.urlChars)
  .regex(FONT, 'brand_font' satisfies InputKey)
  .nullable();
const language = z
  .string()
  .max(35)
  .refine(isLanguage, 'language_tag' satisfies InputKey);
const linkName = z.string().regex(/^[a-z][a-z0-9_]{0,29}$/, 'brand_link_name' satisfies InputKey);

/** Which of the account's brands. */
export const brandName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'brand_name' satisfies InputKey)
  .default(DEFAULT_BRAND)
  .meta({ description: 'Name of a brand, where the plan includes several' });

const Logos = z.strictObject({ light: file, dark: file }).partial();
const Colors = z.strictObject({ primary: color, accent: color, background: color, text: color }).partial();
const Fonts = z.strictObject({ heading: font, body: font }).partial();
const Voice = z
  .strictObject({
    tone: text(300).nullable(),
    audience: text(300).nullable(),
    do: text(1_000).nullable(),
    avoid: text(1_000).nullable(),
    samples: z.array(text(500).min(1)).max(LIMITS.samples).nullable(),
    forbidden_words: z.array(line(60).min(1)).max(LIMITS.forbiddenWords).nullable(),
  })
  .partial();

/** What can be set of a brand. Absent, a field stays; null removes it. */
export const brandFields = {
  name: line(LIMITS.nameChars).nullish(),
  logos: Logos.nullish().meta({ description: 'For light and dark surfaces: https address or asset:PATH' }),
  colors: Colors.nullish().meta({ description: 'Hex colors' }),
  fonts: Fonts.nullish().meta({ description: 'Name of a font, or asset:PATH' }),
  voice: Voice.nullish().meta({ description: 'How hooks and generated templates sound' }),
  address: line(LIMITS.addressChars).nullish().meta({ description: 'Postal address, on one line' }),
  links: z
    .record(linkName, link)
    .refine((links) => Object.keys(links).length <= LIMITS.links, 'brand_links' satisfies InputKey)
    .nullish()
    .meta({ description: 'By name, such as website or instagram' }),
  unsubscribe_url: link.optional(),
  footer: text(LIMITS.footerChars).nullish().meta({ description: 'Legal text of the footer' }),
  languages: z.array(language).max(LIMITS.languages).nullish().meta({ description: 'BCP 47 tags' }),
};

function isAddress(text: string, protocols: readonly string[]): boolean {
  const url = URL.parse(text);
  // No line break or space that a parser would drop or escape.
  return url !== null && protocols.includes(url.protocol) && !/[\s\p{Cc}"'<>\\`{}]/u.test(text);
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
