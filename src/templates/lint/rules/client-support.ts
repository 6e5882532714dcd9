import type { Examined } from '../effective-style.ts';
import type { PageElement } from '../page.ts';
import type { Found, Place } from '../rules.ts';
import type { Declaration } from '../style-rules.ts';
import { SUPPORT } from '../support.ts';

type Use = { readonly slug: string; readonly at: Place | undefined };

/** Features that some of the clients lack, one finding a feature. Hidden elements and what has a fallback are passed over. */
export function* clientSupport(examined: Examined): Iterable<Found> {
  // VML draws for Outlook what CSS draws for the others.
  const hasVml = examined.page.comments.some(({ text }) => /<v:(?:fill|rect|roundrect|image)\b/.test(text));
  for (const { slug, at } of uses(examined)) {
    if (hasVml && PICTURE.test(slug)) continue;
    const feature = SUPPORT.features.get(slug);
    const clients = examined.clients.filter((client) => feature?.lackedBy.has(client));
    if (!feature || clients.length === 0) continue;
    const params = { feature: feature.title, lacking: clients.length };
    yield { rule: 'client-support', at, params, clients, group: `client-support ${slug}` };
  }
}

/** Selectors that wait for a pointer, or for one client: what such a rule says is a nicety or a repair. */
const SPECIAL = /[:[+~]|\.ExternalClass|#(?:outlook|MessageViewBody)\b/i;

function* uses({ page, looks }: Examined): Iterable<Use> {
  for (const { selectors, declarations, at } of page.rules) {
    if (selectors.every((selector) => SPECIAL.test(selector))) continue;
    for (const slug of declared(declarations, false)) yield { slug, at };
  }
  for (const element of page.elements) {
    if (looks.get(element)?.isHidden) continue;
    const slugs = [...htmlFeatures(element), ...declared(element.style, element.attributes.has('bgcolor'))];
    for (const slug of slugs) yield { slug, at: element.at };
  }
}

const PICTURE = /^css-(?:background-image|.*-gradient)$/;

/**
 * Slugs a block uses without a plainer value of the same property before it. A background that shows a color where the
 * image is not drawn is right without the image.
 */
function declared(block: PageElement['style'], hasColor: boolean): string[] {
  const isFilled = hasColor || block.some(showsColor);
  const seen = new Set<string>();
  return block.flatMap((declaration) => {
    const isFallback = seen.has(declaration.property);
    seen.add(declaration.property);
    if (isFallback) return [];
    return cssFeatures(declaration).filter((slug) => !(isFilled && PICTURE.test(slug)));
  });
}

function showsColor({ property, value }: PageElement['style'][number]): boolean {
  if (property === 'background-color') return true;
  return property === 'background' && /^(?:#[0-9a-f]{3}|[a-z]+(?:\s|$))/i.test(value);
}

/** A feature of caniemail.com by its slug, and how to tell that a declaration uses it. */
type CssFeature = { readonly slug: string; readonly property: RegExp; readonly value?: RegExp };

const css = (slug: string, property: RegExp, value?: RegExp): CssFeature => ({
  slug,
  property,
  ...(value && { value }),
});

/**
 * Features a reader misses when a client lacks them. Those that only make an email nicer, such as round corners, shadows
 * and what waits for a pointer, are left out on purpose: an email is right without them.
 */
const CSS_FEATURES: readonly CssFeature[] = [
  css('css-display-flex', /^display$/, /^(?:inline-)?flex$/),
  css('css-display-grid', /^display$/, /^(?:inline-)?grid$/),
  css('css-align-items', /^align-items$/),
  css('css-justify-content', /^justify-content$/),
  css('css-flex-direction', /^flex-direction$/, /^column/),
  css('css-gap', /^(?:column-|row-)?gap$/),
  css('css-grid-template', /^grid-template/),
  css('css-position', /^position$/, /^(?:absolute|fixed|sticky)$/),
  css('css-inset', /^inset$/),
  css('css-float', /^float$/, /^(?:left|right)$/),
  css('css-background-image', /^background(?:-image)?$/, /url\(/),
  css('css-linear-gradient', /^background(?:-image)?$/, /linear-gradient\(/),
  css('css-radial-gradient', /^background(?:-image)?$/, /radial-gradient\(/),
  css('css-conic-gradient', /^background(?:-image)?$/, /conic-gradient\(/),
  css('css-variables', /./, /\bvar\(/),
  css('css-function-light-dark', /./, /\blight-dark\(/),
  css('css-function-clamp', /./, /\bclamp\(/),
  css('css-function-max', /./, /\bmax\(/),
  css('css-function-min', /./, /\bmin\(/),
  css('css-unit-calc', /./, /\bcalc\(/),
  css('css-rgba', /./, /\brgba\(/),
  css('css-modern-color', /./, /\b(?:ok)?l(?:ch|ab)\(/),
  css('css-unit-rem', /./, /\drem\b/),
  css('css-unit-vw', /./, /\dvw\b/),
  css('css-unit-vh', /./, /\dvh\b/),
  css('css-unit-vmin', /./, /\dvmin\b/),
  css('css-unit-vmax', /./, /\dvmax\b/),
  css('css-unit-ch', /./, /\dch\b/),
  css('css-intrinsic-size', /(?:width|height)$/, /^(?:fit|min|max)-content$/),
  css('css-aspect-ratio', /^aspect-ratio$/),
  css('css-clip-path', /^clip-path$/),
  css('css-mask-image', /^(?:-webkit-)?mask-image$/),
  css('css-filter', /^filter$/),
  css('css-transform', /^transform$/),
  css('css-column-layout-properties', /^column(?:s|-count|-width)$/),
  css('css-writing-mode', /^writing-mode$/),
  css('css-margin-inline-block', /^margin-(?:inline|block)$/),
  css('css-margin-inline-start-end', /^margin-inline-(?:start|end)$/),
  css('css-padding-inline-block', /^padding-(?:inline|block)$/),
  css('css-padding-inline-start-end', /^padding-inline-(?:start|end)$/),
  css('css-inline-size', /^inline-size$/),
  css('css-list-style-image', /^list-style-image$/, /url\(/),
];

/** Properties that only make an email nicer, whatever their value. */
const NICE = /^(?:-|mso-|(?:text|box)-shadow|transition|animation|outline|border.*radius|cursor|object-)/;

/** Properties that use a feature only through a function or a unit; most declarations are passed over with this. */
const PLAIN =
  /^(?:color|border.*|padding|margin|font-(?:family|weight|style)|text-align|vertical-align|line-height)$/;

/** Slugs of the features a declaration uses. */
function cssFeatures({ property, value }: Declaration): string[] {
  if (NICE.test(property)) return [];
  const text = value.slice(0, 500).toLowerCase();
  if (PLAIN.test(property) && !text.includes('(') && !/\d(?:rem|v[whm]|ch)/.test(text)) return [];
  return CSS_FEATURES.filter(
    (feature) => feature.property.test(property) && (feature.value?.test(text) ?? true),
  ).map(({ slug }) => slug);
}

const ELEMENTS: Readonly<Record<string, string>> = {
  svg: 'html-svg',
  map: 'html-image-maps',
  select: 'html-select',
  textarea: 'html-textarea',
  dialog: 'html-dialog',
  marquee: 'html-marquee',
  meter: 'html-meter',
  progress: 'html-progress',
  base: 'html-base',
};

const INPUTS: Readonly<Record<string, string>> = {
  checkbox: 'html-input-checkbox',
  radio: 'html-input-radio',
  submit: 'html-input-submit',
  text: 'html-input-text',
};

const IMAGES: Readonly<Record<string, string>> = {
  apng: 'image-apng',
  avif: 'image-avif',
  bmp: 'image-bmp',
  heic: 'image-heif',
  heif: 'image-heif',
  ico: 'image-ico',
  mp4: 'image-mp4',
  svg: 'image-svg',
  tif: 'image-tiff',
  tiff: 'image-tiff',
  webp: 'image-webp',
};

/** Slugs of the features an element uses by its tag and attributes. */
function htmlFeatures({ tag, attributes }: PageElement): string[] {
  const found: (string | undefined)[] = [ELEMENTS[tag]];
  if (tag === 'input') found.push(INPUTS[attributes.get('type') ?? 'text']);
  if (tag === 'img') found.push(IMAGES[extension(attributes.get('src') ?? '')]);
  if (attributes.has('hidden')) found.push('html-hidden');
  return found.filter((slug) => slug !== undefined);
}

function extension(address: string): string {
  const path = address.slice(0, 2000).split(/[?#]/, 1)[0] ?? '';
  return /\.([a-z0-9]{2,4})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
