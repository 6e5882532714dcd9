import type { BrandColors, BrandFields } from './brand.ts';
import { linkColor, textOn } from './contrast.ts';

type Values = Omit<BrandFields, 'voice' | 'colors'> & {
  readonly colors?: BrandColors & { on_primary?: string; on_accent?: string; link?: string };
  /** Rules that load the fonts that are files. No template prints them; who renders adds them to what uses the fonts. */
  readonly font_faces?: string;
};

/**
 * What emails print as `@brand`: what is set, without the voice. Beside the colors stands what can be read on them:
 * `on_primary` and `on_accent`; `link` can be read on white. A font that is a file gets a name of its own.
 */
export function brandValues({ voice: _voice, colors, fonts, ...fields }: BrandFields): Values {
  const faces = Object.entries(fonts ?? {}).filter(([, font]) => font !== undefined && isFile(font));
  return {
    ...fields,
    ...(colors && { colors: { ...colors, ...readableWith(colors) } }),
    ...(fonts && {
      fonts: { ...fonts, ...Object.fromEntries(faces.map(([role]) => [role, familyOf(role)])) },
    }),
    ...(faces.length > 0 && {
      font_faces: faces.map(([role, font = '']) => fontFace(role, font)).join('\n'),
    }),
  };
}

/** The family of a font that is a file, such as `brand-heading`. */
export function familyOf(role: string): string {
  return `brand-${role}`;
}

export function isFile(font: string): boolean {
  return /^asset:/i.test(font);
}

/** The rule that loads a font of the library; its reference has no character that ends a string of CSS. */
export function fontFace(role: string, reference: string): string {
  return `@font-face{font-family:"${familyOf(role)}";src:url("${reference}");font-weight:100 900}`;
}

function readableWith(colors: BrandColors) {
  const { primary, accent, text } = colors;
  return {
    ...(primary && { on_primary: textOn(primary) }),
    ...(accent && { on_accent: textOn(accent) }),
    ...((primary ?? accent ?? text) && { link: linkColor(colors) }),
  };
}
