import { isObject, type JsonObject } from '../templates/data-schema.ts';
import { inkOn } from '../templates/readable.ts';
import type { Manifest } from '../templates/video-template.ts';
import type { BrandTaken } from '../video.ts';

/** A brand of the account. Addresses of logos and fonts are `https:` or `asset:`, colors hexadecimal. */
export type VideoBrand = {
  readonly brand: string;
  readonly version: number;
  readonly name?: string | undefined;
  readonly logos?: { readonly light?: string | undefined; readonly dark?: string | undefined } | undefined;
  readonly colors?:
    | {
        readonly primary?: string | undefined;
        readonly accent?: string | undefined;
        readonly background?: string | undefined;
      }
    | undefined;
  readonly fonts?: Partial<Record<FontRole, BrandFont>> | undefined;
};

type FontRole = 'heading' | 'body';

/** A family, and the rule that loads it where it is a file. */
type BrandFont = { readonly family: string; readonly face?: string | undefined };

type Branded = { readonly data: JsonObject; readonly css: string; readonly taken: BrandTaken | null };

/** The parts of a request that a brand may change. */
type Wish = {
  readonly manifest: Pick<Manifest, 'schema' | 'defaults'>;
  readonly html: string;
  readonly data: JsonObject;
  /** CSS rules of the shipped fonts. */
  readonly fontFaces: string;
};

/**
 * Adds the brand where the caller and the template say nothing. Name and logo belong together, as do the colors: a caller
 * who gives one of them gets none of the account's beside it.
 */
export function withBrand({ manifest, html, data, fontFaces }: Wish, brand: VideoBrand | undefined): Branded {
  if (!brand) return { data, css: '', taken: null };
  const given = { ...objectAt(manifest.defaults, 'brand'), ...objectAt(data, 'brand') };
  const added = takesBrand(manifest.schema) ? valuesFor(given, brand) : {};
  const fonts = fontsOf(html, brand, fontFaces);
  const fields = [
    ...Object.keys(added).map((name) => `brand.${name}`),
    ...fonts.map(({ role }) => `fonts.${role}`),
  ];
  if (fields.length === 0) return { data, css: '', taken: null };
  const { brand: name, version } = brand;
  return {
    data: Object.keys(added).length > 0 ? { ...data, brand: { ...objectAt(data, 'brand'), ...added } } : data,
    css: fonts.map(({ css }) => css).join(' '),
    taken: { brand: name, version, fields },
  };
}

function takesBrand({ properties }: JsonObject): boolean {
  return isObject(properties) && isObject(properties['brand']);
}

function valuesFor(given: JsonObject, { name, logos = {}, colors = {} }: VideoBrand): JsonObject {
  const hasIdentity = 'name' in given || 'logo' in given;
  const hasColors = 'color' in given || 'accent' in given || 'background' in given;
  const logo = logoFor(hasColors ? given['background'] : colors.background, logos);
  return {
    ...(!hasIdentity && name !== undefined && { name }),
    ...(!hasIdentity && logo !== undefined && { logo }),
    ...(!hasColors && colors.primary !== undefined && { color: colors.primary }),
    ...(!hasColors && colors.accent !== undefined && { accent: colors.accent }),
    ...(!hasColors && colors.background !== undefined && { background: colors.background }),
  };
}

/** The logo for dark surfaces, if white can be read on the background. */
function logoFor(background: unknown, { light, dark }: NonNullable<VideoBrand['logos']>): string | undefined {
  const isDark = typeof background === 'string' && HEX.test(background) && inkOn(background) === '#ffffff';
  return isDark ? (dark ?? light) : (light ?? dark);
}

const HEX = /^#[0-9a-f]{6}$/i;

const VARIABLES: Readonly<Record<FontRole, string>> = { heading: '--display', body: '--text' };

/** Fonts that this video can show: files of the library, and families that are shipped. */
function fontsOf(html: string, { fonts = {} }: VideoBrand, fontFaces: string) {
  return (['heading', 'body'] as const).flatMap((role) => {
    const font = fonts[role];
    if (!font || !html.includes(`var(${VARIABLES[role]})`)) return [];
    const family = font.face ? font.family : shipped(font.family, fontFaces);
    if (family === undefined) return [];
    // A style sets the variable by a class of the same element.
    const css = `${font.face ?? ''} #stage{${VARIABLES[role]}:"${family}",sans-serif!important}`;
    return [{ role, css }];
  });
}

/** `Inter` is shipped as `Inter Variable`. */
function shipped(family: string, fontFaces: string): string | undefined {
  return [family, `${family} Variable`].find((name) => fontFaces.includes(`'${name}'`));
}

function objectAt(data: JsonObject, name: string): JsonObject {
  const value = data[name];
  return isObject(value) ? value : {};
}
