import type { Examined } from '../examined.ts';
import { cssFeatures, htmlFeatures } from '../features.ts';
import type { Found, Place } from '../finding.ts';
import type { PageElement } from '../page.ts';
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
 * Slugs a block uses without a plainer value of the same property before it. A background that shows a colour where the
 * picture is not drawn is right without the picture.
 */
function declared(block: PageElement['style'], hasColour: boolean): string[] {
  const isFilled = hasColour || block.some(showsColour);
  const seen = new Set<string>();
  return block.flatMap((declaration) => {
    const isFallback = seen.has(declaration.property);
    seen.add(declaration.property);
    if (isFallback) return [];
    return cssFeatures(declaration).filter((slug) => !(isFilled && PICTURE.test(slug)));
  });
}

function showsColour({ property, value }: PageElement['style'][number]): boolean {
  if (property === 'background-color') return true;
  return property === 'background' && /^(?:#[0-9a-f]{3}|[a-z]+(?:\s|$))/i.test(value);
}
