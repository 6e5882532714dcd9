import mjml from 'mjml';
import type { Problem } from '../../engine/problem.ts';
import { type Moved, maskMustaches } from './mask-mustaches.ts';
import { scanMjml } from './scan-mjml.ts';

export type MjmlResult =
  /** `moved` tells for each mustache of the html where it stands in the MJML. */
  | { readonly html: string; readonly moved: readonly Moved[] }
  | { readonly problems: readonly [Problem, ...Problem[]] };

const PROBLEMS = 50;

/**
 * Html of an MJML source, its mustaches where they were. The source must be Handlebars that parses. No file and no address is read:
 * `mj-include` is refused, and a web font is linked only where `mj-font` asks for it.
 */
export async function compileMjml(source: string): Promise<MjmlResult> {
  const masked = maskMustaches(source.replaceAll('\r\n', '\n'));
  const { text, problems } = scanMjml(masked);
  const [first, ...rest] = problems;
  if (first) return { problems: [first, ...rest].slice(0, PROBLEMS) as [Problem, ...Problem[]] };
  try {
    const { html, errors } = await mjml(text, {
      fonts: {},
      ignoreIncludes: true,
      keepComments: true,
      validationLevel: 'soft',
    });
    const [wrong, ...more] = errors
      .filter(({ message }) => matters(message, masked.marks[0]?.word))
      .slice(0, PROBLEMS);
    const said = ({ line, message }: { line: number; message: string }) =>
      problem(masked.sourceLine(line), masked.unmask(message));
    if (wrong) return { problems: [said(wrong), ...more.map(said)] };
    return { html: masked.unmask(html), moved: masked.placesIn(html) };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    return { problems: [problem(1, masked.unmask(error.message))] };
  }
}

/**
 * An attribute that MJML does not know changes nothing, so it passes. A value of the wrong kind is refused, except a colour from the
 * data, which is printed as it is; widths and the like are calculated with before there is data.
 */
function matters(message: string, word: string | undefined): boolean {
  if (/^Attributes? .* (?:is|are) illegal$/s.test(message)) return false;
  const prefix = word?.slice(0, -2);
  return !(prefix && message.includes(prefix) && / for type Color/.test(message));
}

function problem(line: number, reason: string): Problem {
  return {
    key: 'template_invalid.mjml',
    params: { line, reason: reason.slice(0, 300) },
    loc: ['body', 'html'],
    line,
  };
}
