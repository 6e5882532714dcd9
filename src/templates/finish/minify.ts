import htmlnano from 'htmlnano';

const ROOT = 'stallhand-root';
/** Lines that a style keeps as they are must not be joined. */
const KEEPS_SPACE = /white-space\s*:\s*(?:pre|break-spaces)/i;
/** `<!--[if mso]>`, `<!--<![endif]-->` and `<!-->` are how an email speaks to Outlook. */
const CONDITION = /^<!--(?:\[if\b|<!\[endif\]|>|\s*<!)|<!\[endif\]-->$/i;

/** `<![if !mso]>` is a directive to the parser, which drops those it is not told of. */
const PARSING = { sync: false, directives: [{ name: /^(?!!doctype)[!?]/, start: '<', end: '>' }] };

/**
 * Takes out what a email client does not read: comments, and all but one of several spaces. Attributes, inline tags, styles and
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
  // An email that closes the element around it is left as it is.
  if (!whole) return html;
  return output
    .slice(ROOT.length + 2, -ROOT.length - 3)
    .replaceAll('&\u0001quot;', '&quot;')
    .trim();
}
