import { compile, type FormatCallback } from 'html-to-text';
import htmlnano from 'htmlnano';
import juice from 'juice';

/** With one colon or two. */
const PSEUDO_ELEMENTS = [':before', ':after'];

/**
 * Copies the rules of `<style>` elements into style attributes, for mail programs that ignore style elements. What no attribute
 * can hold stays in a `<style>`: media queries, fonts, rules on pseudo classes, and those that no element answers to, because mail
 * programs put in their own (`[data-ogsc]`, `.ExternalClass`, `u + .body`). A style element marked `data-embed` is left alone. Never asks the network: only juice's functions for files and addresses do.
 */
export function inlineCss(html: string): string {
  // What looks like a tag of another template language is text in a finished mail.
  for (const name of Object.keys(juice.codeBlocks)) delete juice.codeBlocks[name];
  // `align` on a table moves the table, which `text-align` does not.
  delete juice.styleToAttribute['text-align'];
  return juice(html, {
    removeStyleTags: false,
    removeInlinedSelectors: true,
    preservePseudos: true,
    preserveImportant: true,
    preservedSelectors: PSEUDO_ELEMENTS,
  });
}

const ROOT = 'stallhand-root';
/** Lines that a style keeps as they are must not be joined. */
const KEEPS_SPACE = /white-space\s*:\s*(?:pre|break-spaces)/i;
/** `<!--[if mso]>`, `<!--<![endif]-->` and `<!-->` are how a mail speaks to Outlook. */
const CONDITION = /^<!--(?:\[if\b|<!\[endif\]|>|\s*<!)|<!\[endif\]-->$/i;

/** `<![if !mso]>` is a directive to the parser, which drops those it is not told of. */
const PARSING = { sync: false, directives: [{ name: /^(?!!doctype)[!?]/, start: '<', end: '>' }] };

/**
 * Takes out what a mail program does not read: comments, and all but one of several spaces. Attributes, inline tags, styles and
 * what only Outlook reads stay as they are.
 */
export async function minify(html: string): Promise<string> {
  // Text at the top of a document would lose its spaces; the parser would turn a quote into one that ends its attribute.
  const input = `<${ROOT}>${html.replaceAll('&quot;', '&\u0001quot;')}</${ROOT}>`;
  const { html: output } = await htmlnano.process(
    input,
    {
      // Otherwise it looks for settings in files.
      skipConfigLoading: true,
      ...(!KEEPS_SPACE.test(html) && { collapseWhitespace: 'conservative' as const }),
      removeComments: (comment: string) => !CONDITION.test(comment.trim()),
    },
    {},
    PARSING,
  );
  const whole = output.startsWith(`<${ROOT}>`) && output.endsWith(`</${ROOT}>`);
  // A mail that closes the element around it is left as it is.
  if (!whole) return html;
  return output
    .slice(ROOT.length + 2, -ROOT.length - 3)
    .replaceAll('&\u0001quot;', '&quot;')
    .trim();
}

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

/** The words of a mail, for programs that show no html: links as `text [address]`, pictures by their alternative text. */
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
