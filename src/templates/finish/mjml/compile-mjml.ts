import core from 'mjml-core';
import preset from 'mjml-preset-core';
import validator from 'mjml-validator';
import { type Token, type TokenHandler, Tokenizer } from 'parse5';
import { type Problem, problemAt } from '../../engine/problem.ts';
import { type Mark, type Masked, type Moved, maskExpressions } from './mask-expressions.ts';

export type MjmlResult =
  /** `moved` tells for each expression of the HTML where it stands in the MJML. */
  | { readonly html: string; readonly moved: readonly Moved[] }
  | { readonly problems: readonly [Problem, ...Problem[]] };

const PROBLEMS = 50;

// What the package `mjml` does, without its command line.
core.assignComponents(core.components, preset.components);
validator.assignDependencies(validator.dependencies, preset.dependencies);

/**
 * HTML of an MJML source, its expressions where they were. The source must be Handlebars that parses. No file and no address is read:
 * `mj-include` is refused, and a web font is linked only where `mj-font` asks for it.
 */
export async function compileMjml(source: string): Promise<MjmlResult> {
  const masked = maskExpressions(source.replaceAll('\r\n', '\n'));
  const { text, problems } = scanMjml(masked);
  const [first, ...rest] = problems;
  if (first) return { problems: [first, ...rest].slice(0, PROBLEMS) as [Problem, ...Problem[]] };
  try {
    const { html, errors } = await core.default(text, {
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
 * An attribute that MJML does not know changes nothing, so it passes. A value of the wrong kind is refused, except a color from the
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

export type Scanned = {
  /** The masked MJML with the expressions that stand between elements in `mj-raw`, without which they would be lost. */
  readonly text: string;
  readonly problems: readonly Problem[];
};

/** Elements whose content is HTML or text. */
const ENDING = new Set(
  'mj-accordion-text mj-accordion-title mj-button mj-navbar-link mj-preview mj-raw mj-social-element mj-style mj-table mj-text mj-title'.split(
    ' ',
  ),
);
/** Elements in which an `mj-raw` is printed in its place. */
const HOLDS_RAW = new Set(
  'mj-accordion mj-accordion-element mj-body mj-column mj-group mj-hero mj-navbar mj-section mj-social mj-wrapper'.split(
    ' ',
  ),
);

type Open = { readonly name: string; readonly line: number; readonly css: boolean };

/** Reads the elements of an MJML source: finds what MJML would drop without a word, and what this product does not take. */
export function scanMjml({ text, marks, sourceLine }: Masked): Scanned {
  const problems: Problem[] = [];
  const open: Open[] = [];
  // How many elements deep the position is in one whose content is HTML; MJML counts only such elements there.
  let inHtml = 0;
  let output = '';
  let copied = 0;
  let next = 0;

  const report = (line: number, reason: string) =>
    problems.push({ ...place(line), key: 'template_invalid.mjml', params: { line, reason } });

  /** Reads the text between the last tag and `end`. */
  function readText(end: number): void {
    for (let mark = marks[next]; mark && mark.at < end; mark = marks[++next]) readMustache(mark);
  }

  function readMustache(mark: Mark): void {
    const { word, mustache, at } = mark;
    const parent = open.at(-1);
    if (parent?.css) problems.push(problemAt('unsafe_context.style', 'html', locate(mark)));
    if (inHtml > 0 || parent?.name === 'mj-html-attribute' || /^\{\{~?!/.test(mustache)) return;
    if (!parent || !HOLDS_RAW.has(parent.name)) {
      const tag = mustache.slice(0, 40);
      const element = parent?.name ?? 'mjml';
      problems.push(problemAt('template_invalid.mjml_place', 'html', locate(mark), { tag, element }));
      return;
    }
    output += `${text.slice(copied, at)}<mj-raw>${word}</mj-raw>`;
    copied = at + word.length;
  }

  /** Passes over a tag or comment, whose expressions stand where MJML keeps them. */
  function pass({ location }: { location: Token.Location | null }): void {
    readText(location?.startOffset ?? 0);
    while ((marks[next]?.at ?? Number.POSITIVE_INFINITY) < (location?.endOffset ?? 0)) next++;
  }

  function startTag(tag: Token.TagToken): void {
    pass(tag);
    const { tagName: name, selfClosing } = tag;
    const line = sourceLine(tag.location?.startLine ?? 1);
    const ending = ENDING.has(name);
    if (inHtml > 0) {
      if (ending && !selfClosing) inHtml++;
      return;
    }
    if (name === 'mj-include')
      problems.push({ ...place(line), key: 'template_invalid.mjml_include', params: { line } });
    if (selfClosing) return;
    if (ending) inHtml = 1;
    const inline = tag.attrs.some((attribute) => attribute.name === 'inline' && attribute.value === 'inline');
    open.push({ name, line, css: name === 'mj-style' && !inline });
  }

  function endTag(tag: Token.TagToken): void {
    pass(tag);
    const { tagName: name } = tag;
    if (inHtml > 0 && ENDING.has(name)) inHtml--;
    if (inHtml > 0) return;
    const line = sourceLine(tag.location?.startLine ?? 1);
    const from = open.findLastIndex((element) => element.name === name);
    if (from < 0) report(line, `</${name}> closes nothing`);
    else
      for (const { name: inner, line: start } of open.splice(from).slice(1))
        report(start, `<${inner}> is never closed`);
  }

  const handler: TokenHandler = {
    onStartTag: startTag,
    onEndTag: endTag,
    onComment: pass,
    onDoctype: pass,
    onEof: pass,
    onCharacter: () => {},
    onNullCharacter: () => {},
    onWhitespaceCharacter: () => {},
    onParseError: null,
  };
  new Tokenizer({ sourceCodeLocationInfo: true }, handler).write(text, true);
  readText(text.length);
  // An open element of HTML takes the ends of all others for its own text.
  for (const { name, line } of inHtml > 0 ? open.slice(-1) : open) report(line, `<${name}> is never closed`);
  return { text: output + text.slice(copied), problems };
}

function place(line: number) {
  return { loc: ['body', 'html'], line };
}

function locate({ line, col }: Mark) {
  return { loc: { start: { line, column: col - 1 } } };
}
