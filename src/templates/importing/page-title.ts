import { defaultTreeAdapter, parseFragment } from 'parse5';

/** How far into a page its title is looked for, in characters. */
const HEAD = 20_000;

/** The title of a page or an MJML email, as a browser shows it; undefined where it has none or is made from data. */
export function titleOf(page: string): string | undefined {
  const [, written = ''] = /<(?:mj-)?title>([^<{]{1,200})<\//i.exec(page.slice(0, HEAD)) ?? [];
  const [shown] = parseFragment(written.trim()).childNodes;
  return shown && defaultTreeAdapter.isTextNode(shown) ? shown.value : undefined;
}
