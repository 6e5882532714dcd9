import type { Examined } from '../examined.ts';
import type { Found } from '../finding.ts';
import type { PageComment, PageElement } from '../page.ts';
import type { RuleId } from '../rules.ts';

/** Rules about elements that mail does not have, that never end, or that are read out wrongly. */
export function* markup({ page }: Examined): Iterable<Found> {
  const data = dataTables(page.elements);
  for (const element of page.elements) {
    const rule = dropped(element);
    if (rule) yield { rule, at: element.at, params: { tag: element.tag } };
    if (!page.isCut && isUnclosed(element))
      yield { rule: 'unclosed-element', at: element.at, params: { tag: element.tag } };
    if (element.tag === 'table' && !element.attributes.has('role') && !data.has(element))
      yield { rule: 'table-role', at: element.at };
    if (element.tag === 'link' && element.attributes.get('rel')?.toLowerCase() === 'stylesheet')
      yield { rule: 'css-import', at: element.at };
  }
  for (const at of page.imports) yield { rule: 'css-import', at };
  if (!page.isCut) yield* conditionals(page.comments);
}

const EMBEDDED = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'video', 'audio']);

function dropped({ tag, attributes }: PageElement): RuleId | undefined {
  // Gmail reads structured data from scripts of this type.
  if (tag === 'script') return attributes.get('type') === 'application/ld+json' ? undefined : 'script';
  if (tag === 'form') return 'form';
  return EMBEDDED.has(tag) ? 'embedded-content' : undefined;
}

// Only elements whose end is never implied, and whose missing end changes what is around them.
const MUST_CLOSE = new Set(
  'a article aside b blockquote center div em figure font footer form h1 h2 h3 h4 h5 h6 header i main ol section span strong table u ul'.split(
    ' ',
  ),
);

function isUnclosed({ tag, at, isClosed }: PageElement): boolean {
  return MUST_CLOSE.has(tag) && at !== undefined && !isClosed;
}

/** Tables with a header or a caption, which hold data and not layout. */
function dataTables(elements: readonly PageElement[]): ReadonlySet<PageElement> {
  const found = new Set<PageElement>();
  for (const element of elements) {
    if (element.tag !== 'th' && element.tag !== 'caption') continue;
    let outer = element.parent;
    while (outer && outer.tag !== 'table') outer = outer.parent;
    if (outer) found.add(outer);
  }
  return found;
}

/**
 * Conditional comments without their end. `<!--[if mso]>…<![endif]-->` is one comment; `<!--[if !mso]><!-->` and
 * `<![if !mso]>` wait for a later comment that ends them.
 */
function* conditionals(comments: readonly PageComment[]): Iterable<Found> {
  const open: PageComment[] = [];
  for (const comment of comments) {
    const text = comment.text.trim();
    if (/^(?:<!)?\[endif\]/i.test(text)) open.pop();
    if (!/^\[if\b/i.test(text)) continue;
    if (/<!--\s*\[if\b/i.test(text)) yield { rule: 'conditional-comment', at: comment.at };
    else if (!/<!\[endif\]/i.test(text)) open.push(comment);
  }
  for (const { at } of open) yield { rule: 'conditional-comment', at };
}
