import { VOCABULARY } from '../../engine/vocabulary/vocabulary.ts';
import type { Dialect, RewritableCall } from './rewrite.ts';

/** Mustachio (postmarkapp.com/support/article/1077-template-syntax). */
export const postmarkDialect: Dialect = {
  helpers: {},
  marks: [],
  call(call) {
    const { node } = call;
    if (node.type === 'MustacheStatement') rewritePrinted(call);
    else if (node.type === 'BlockStatement') noteSection(call);
  },
};

function rewritePrinted({ node, field, source, spanOf, replace, note }: RewritableCall): void {
  const name = node.path.original;
  const span = spanOf(node);
  const isRaw = /^\{\{~?[{&]/.test(source.slice(span.start, span.end));
  const instead = name === '.' && isRaw ? '{{{this}}}' : insteadOf(name, field === 'html');
  if (instead === undefined) return;
  replace(span, instead);
  if (name !== '.') note('import_variable', { from: `{{${name}}}`, to: instead }, span);
}

function insteadOf(name: string, inHtml: boolean): string | undefined {
  switch (name) {
    case '.':
      return '{{this}}';
    case '@content':
      return '{{> @partial-block}}';
    case 'pm:unsubscribe_url':
      return '{{unsubscribe_url}}';
    case 'pm:unsubscribe':
      return inHtml ? '<a href="{{unsubscribe_url}}">Unsubscribe</a>' : '{{unsubscribe_url}}';
    default:
      return undefined;
  }
}

/** Mustachio never repeats a section; ours repeats when the data has a list there. */
function noteSection({ node, spanOf, source, note }: RewritableCall): void {
  const alone = node.params.length === 0 && !node.hash && !VOCABULARY.has(node.path.original);
  const { start, end } = spanOf(node);
  const isInverted = /^\{\{~?\s*\^/.test(source.slice(start, end));
  if (alone && !isInverted) note('import_section', { from: `{{#${node.path.original}}}` }, { start, end });
}
