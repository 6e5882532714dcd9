import { type Rgb, readColor } from './color.ts';
import type { Page, PageElement } from './page.ts';
import type { Found, Mail } from './rules.ts';

/** How the text of an element looks, as far as that is certain. */
export type EffectiveStyle = {
  /** Undefined when not known. */
  readonly color: Rgb | undefined;
  readonly background: Rgb | undefined;
  /** Size of the font in pixels. */
  readonly size: number | undefined;
  readonly isBold: boolean;
  readonly isHidden: boolean;
  readonly styles: Styles;
};

const START: EffectiveStyle = {
  color: undefined,
  background: undefined,
  size: undefined,
  isBold: false,
  isHidden: false,
  styles: new Map(),
};

/** Looks of all elements of a page. */
export function effectiveStyles(page: Page): ReadonlyMap<PageElement, EffectiveStyle> {
  const cascade = createCascade(page);
  const found = new Map<PageElement, EffectiveStyle>();
  for (const element of page.elements) {
    const outer = (element.parent && found.get(element.parent)) ?? START;
    const styles = cascade(element);
    const isClear = styles.has('opacity') && styles.get('opacity') !== '1';
    found.set(element, {
      color: isClear ? undefined : colorOf(element, styles, outer),
      background: isClear ? undefined : backgroundOf(element, styles, outer),
      size: sizeOf(element, styles, outer),
      isBold: isBold(element, styles, outer),
      isHidden: outer.isHidden || isHidden(element, styles),
      styles,
    });
  }
  return found;
}

function colorOf({ tag, attributes }: PageElement, styles: Styles, outer: EffectiveStyle): Rgb | undefined {
  const written = styles.get('color') ?? (styles.has('color') ? null : fontColor(tag, attributes));
  if (written === 'inherit') return outer.color;
  if (written === undefined) return tag === 'a' && attributes.has('href') ? undefined : outer.color;
  return written === null ? undefined : readColor(written);
}

function fontColor(tag: string, attributes: ReadonlyMap<string, string>): string | undefined {
  if (tag === 'font') return attributes.get('color');
  return tag === 'body' ? attributes.get('text') : undefined;
}

function backgroundOf({ attributes }: PageElement, styles: Styles, outer: EffectiveStyle): Rgb | undefined {
  if (attributes.has('background')) return undefined;
  const image = styles.get('background-image');
  if (styles.has('background-image') && image !== 'none') return undefined;
  // Of the two the later one wins; when they differ in meaning, nothing is certain.
  const written = ['background', 'background-color'].filter((property) => styles.has(property));
  if (written.length === 0) {
    const attribute = attributes.get('bgcolor');
    return attribute === undefined ? outer.background : readColor(attribute);
  }
  const colors = written.map((property) => fill(styles.get(property), outer));
  const [first] = colors;
  return colors.every((color) => String(color) === String(first)) ? first : undefined;
}

function fill(value: string | null | undefined, outer: EffectiveStyle): Rgb | undefined {
  if (value === null || value === undefined) return undefined;
  return /^(?:transparent|none|inherit)$/i.test(value) ? outer.background : readColor(value);
}

const PIXELS: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3 };

function sizeOf({ tag }: PageElement, styles: Styles, outer: EffectiveStyle): number | undefined {
  const shorthand = styles.get('font') ?? '';
  const written = styles.has('font-size')
    ? styles.get('font-size')
    : /\d[\d.]*(?:px|pt|em|%)/.exec(shorthand)?.[0];
  if (written === undefined) return /^(?:h[1-6]|small|big|sub|sup|font)$/.test(tag) ? undefined : outer.size;
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?|\.\d+)(px|pt|em|%)?$/i.exec(written ?? '') ?? [];
  if (number === undefined) return undefined;
  if (Number(number) === 0) return 0;
  const pixels = PIXELS[unit.toLowerCase()];
  if (pixels !== undefined) return Number(number) * pixels;
  if (outer.size === undefined || unit === '') return undefined;
  return (outer.size * Number(number)) / (unit === '%' ? 100 : 1);
}

function isBold({ tag }: PageElement, styles: Styles, outer: EffectiveStyle): boolean {
  const weight = styles.get('font-weight');
  if (weight) return weight === 'bold' || weight === 'bolder' || Number(weight) >= 700;
  return outer.isBold || /^(?:b|strong|th|h[1-6])$/.test(tag);
}

function isHidden({ tag, attributes }: PageElement, styles: Styles): boolean {
  if (tag === 'head' || tag === 'title' || attributes.has('hidden')) return true;
  if (styles.get('display') === 'none' || styles.get('visibility') === 'hidden') return true;
  if (styles.get('mso-hide') === 'all') return true;
  return ['opacity', 'max-height', 'font-size'].some((property) =>
    /^(?:0(?:\.0+)?|[01]px)(?:px|em|%)?$/.test(styles.get(property) ?? ''),
  );
}

/** What holds for one element, by property; `null` where it cannot be told without a browser. */
type Styles = ReadonlyMap<string, string | null>;

type Entry = {
  readonly property: string;
  readonly value: string | null;
  /** Later and heavier wins. */
  readonly weight: number;
};

type Compound = { readonly tag: string; readonly needs: readonly string[]; readonly isSure: boolean };

const IMPORTANT = 1_000_000;
const INLINE = 100_000;

/**
 * Resolves embedded and inline styles as far as that is certain: selectors of one tag, classes and ids. What a longer
 * selector may set is not known. Rules that wait for a pointer or for one client, such as `:hover` and `[data-ogsc]`, do
 * not count.
 */
function createCascade({ rules }: Pick<Page, 'rules'>): (element: PageElement) => Styles {
  const known = new Map<string, readonly Entry[]>();
  const read = rules.flatMap((rule) =>
    rule.selectors.flatMap((selector) => {
      const compound = readSelector(selector);
      return compound ? [{ compound, declared: rule.declarations }] : [];
    }),
  );

  function entriesFor(element: PageElement): readonly Entry[] {
    const names = namesOf(element);
    const key = [element.tag, ...names].join(' ');
    const found = known.get(key) ?? read.flatMap((rule) => entriesOf(rule, element.tag, new Set(names)));
    known.set(key, found);
    return found;
  }

  return (element) => {
    const inline = element.style.map(({ property, value, important }) => ({
      property,
      value,
      weight: INLINE + (important ? IMPORTANT : 0),
    }));
    const sorted = [...entriesFor(element), ...inline].sort((a, b) => a.weight - b.weight);
    return new Map(sorted.map(({ property, value }) => [property, value]));
  };
}

function namesOf({ attributes }: PageElement): string[] {
  const id = attributes.get('id');
  const classes = (attributes.get('class') ?? '').split(/\s+/).slice(0, 50);
  return [...(id ? [`#${id}`] : []), ...classes.filter((name) => name !== '').map((name) => `.${name}`)];
}

function entriesOf(
  { compound, declared }: { compound: Compound; declared: PageElement['style'] },
  tag: string,
  names: ReadonlySet<string>,
): Entry[] {
  const { tag: wanted, needs, isSure } = compound;
  if (wanted !== '' && wanted !== '*' && wanted !== tag) return [];
  if (!needs.every((name) => names.has(name))) return [];
  const ids = needs.filter((name) => name.startsWith('#')).length;
  const specific = ids * 10_000 + (needs.length - ids) * 100 + (wanted === '' || wanted === '*' ? 0 : 1);
  return declared.map(({ property, value, important }) => ({
    property,
    value: isSure ? value : null,
    weight: specific + (important ? IMPORTANT : 0),
  }));
}

const WAITING = /:(?:hover|active|focus|before|after|root|target|checked)/i;

/** The last compound of a selector; undefined when it never holds for an email that is just opened. */
function readSelector(selector: string): Compound | undefined {
  const parts = selector.split(/[\s>+~]+/).filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  if (WAITING.test(selector) || parts.some((part) => part.includes('['))) return undefined;
  const [plain = ''] = last.split(':');
  const match = /^([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)$/i.exec(plain);
  if (!match) return { tag: '', needs: [], isSure: false };
  const needs = match[2]?.match(/[.#][\w-]+/g) ?? [];
  return { tag: (match[1] ?? '').toLowerCase(), needs, isSure: parts.length === 1 && plain === last };
}

/** What the rules about the HTML look at. */
export type Examined = {
  readonly mail: Mail;
  readonly page: Page;
  readonly looks: ReadonlyMap<PageElement, EffectiveStyle>;
  /** Mail clients by `family.platform`. */
  readonly clients: readonly string[];
};

/** A family of rules: says what it sees, in the order it stands in the HTML. */
export type Check = (examined: Examined) => Iterable<Found>;
