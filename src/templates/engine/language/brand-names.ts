/** What a brand may have, as templates print it: `@brand.name`, `@brand.colors.primary`. */
const NAMES = [
  'name',
  'logos.light',
  'logos.dark',
  'colors.primary',
  'colors.accent',
  'colors.background',
  'colors.text',
  'colors.on_primary',
  'colors.on_accent',
  'colors.link',
  'fonts.heading',
  'fonts.body',
  'address',
  'unsubscribe_url',
  'footer',
] as const;

/** Of these, the account chooses the names inside. */
const OPEN = ['links', 'languages'] as const;

export const BRAND_NAMES: readonly string[] = [...NAMES, 'links.…', 'languages'].map(
  (name) => `@brand.${name}`,
);

const known = new Set<string>([...NAMES, ...OPEN].flatMap(prefixes));

/** Whether a brand may have what stands at this path, or something inside of it. */
export function isBrandPath(parts: readonly string[]): boolean {
  const [first = ''] = parts;
  return parts.length === 0 || (OPEN as readonly string[]).includes(first) || known.has(parts.join('.'));
}

/** `logos.light` is at `logos`, too. */
function prefixes(name: string): string[] {
  const parts = name.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}
