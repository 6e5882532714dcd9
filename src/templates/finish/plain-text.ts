import { compile, type FormatCallback } from 'html-to-text';

const convert = compile({
  wordwrap: 78,
  limits: { maxInputLength: 8_000_000, maxDepth: 200 },
  formatters: { alternative, cell },
  selectors: [
    ...[
      'head',
      'title',
      '[hidden]',
      '[style*="display:none"]',
      '[style*="display: none"]',
      '[style*="visibility:hidden"]',
      '[style*="visibility: hidden"]',
    ].map((selector) => ({ selector, format: 'skip' })),
    {
      selector: 'a',
      options: {
        hideLinkHrefIfSameAsText: true,
        noAnchorUrl: true,
        linkBrackets: ['[', ']'] as [string, string],
      },
    },
    { selector: 'img', format: 'alternative' },
    { selector: 'table', format: 'block' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** The words of an email, for programs that show no html: links as `text [address]`, images by their alternative text. */
export function plainText(html: string): string {
  return convert(html).trim();
}

function alternative(...[element, , builder]: Parameters<FormatCallback>): void {
  const text = String(element.attribs?.['alt'] ?? '').trim();
  if (text) builder.addInline(text);
}

/** Cells of a row stand beside each other; a table within one is a block of its own. */
function cell(...[element, walk, builder]: Parameters<FormatCallback>): void {
  walk(element.children, builder);
  builder.addInline(' ');
}
