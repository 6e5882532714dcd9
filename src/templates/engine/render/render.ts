import { Fault } from '../../../errors.ts';
import type { Output, RenderOptions } from '../engine.ts';
import type { RenderLimits } from '../limits.ts';
import type { Field } from '../source.ts';
import type { JsonObject } from '../variable.ts';
import { canonicalLocale } from '../vocabulary/intl.ts';
import { LAYOUT } from '../vocabulary/vocabulary.ts';
import type { Program } from './program.ts';
import { type Mode, meter, type TemplateFunction } from './runtime.ts';

type Rendering = RenderOptions & { readonly limits: RenderLimits };
/** The finished lines that `@subject` and `@preheader` print in the body. */
type Head = { readonly subject?: string | null; readonly preheader?: string | null };
type Partials = Record<string, TemplateFunction>;

/**
 * Renders every field of a program under one set of limits.
 *
 * In: a program, data and options. Out: the printed fields and warnings. Invariant: only a value's own fields are
 * data, and what exceeds a limit ends in a Fault.
 */
export function renderProgram(program: Program, data: JsonObject, options: Rendering): Output {
  const locale = options.locale === undefined ? 'en' : canonicalLocale(options.locale);
  if (options.layout && !program.inLayout)
    throw new Error('The program was not prepared to stand in a layout.');
  // A layout, and the content in it, are partials of the engine's own; they do not count as the author's.
  meter.start(options.limits, locale, options.layout ? -2 : program.inLayout ? -1 : 0);
  try {
    const print = (field: Field, mode: Mode, head: Head = {}) =>
      printField(program, field, mode, data, options, head);
    const subject = oneLine(print('subject', 'plain'));
    const preheader = oneLine(print('preheader', 'plain'));
    const head = { subject, preheader };
    const text = print('text', 'plain', head);
    const html = withCss(print('html', 'html', head) ?? '', program, options);
    if (isLonger(html, options.limits.bytes)) throw meter.tooLarge();
    return { html, subject, preheader, text, warnings: meter.warnings };
  } catch (error) {
    throw explain(error);
  } finally {
    meter.stop();
  }
}

function printField(
  program: Program,
  field: Field,
  mode: Mode,
  data: JsonObject,
  options: Rendering,
  head: Head,
): string | null {
  const template = program.fields[field]?.(mode);
  if (!template) return null;
  const partials: Partials = {};
  for (const [name, partial] of options.partials) {
    const body = mode === 'html' ? partial.fields.html : (partial.fields.text ?? partial.fields.html);
    if (body) partials[name] = body(mode);
  }
  const layout = field === 'html' || field === 'text' ? options.layout?.fields[field] : undefined;
  if (layout) partials[LAYOUT] = layout(mode);
  const frame = program.kind === 'template' ? {} : { 'partial-block': () => '' };
  return template(data, {
    partials,
    data: { ...frame, ...head, locale: meter.locale, brand: options.brand ?? {} },
    ...CLOSED,
  });
}

/** Only a value's own fields are data. These are Handlebars' defaults, said aloud so that a refusal is not logged. */
const CLOSED = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };

/** While it renders, output is counted in characters; one takes at most three bytes. */
function isLonger(html: string, bytes: number): boolean {
  return html.length * 3 > bytes && Buffer.byteLength(html) > bytes;
}

/** A line break in a subject would let data write email headers. */
function oneLine(text: string | null): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be taken out
  return text === null ? null : text.replace(/[\u0000\n\v\f\r\u0085\u2028\u2029]+/g, ' ').trim();
}

function withCss(html: string, program: Program, { layout, partials }: Rendering): string {
  const sheets = [layout, ...partials.values(), program].flatMap((one) => (one?.css ? [one.css] : []));
  if (sheets.length === 0) return html;
  const style = `<style>\n${[...new Set(sheets)].join('\n')}\n</style>\n`;
  const head = html.search(/<\/head/i);
  // Before its doctype, a page would be laid out as in the last century.
  const at = head < 0 ? (/^\s*<!doctype[^>]*>/i.exec(html)?.[0].length ?? 0) : head;
  return html.slice(0, at) + style + html.slice(at);
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error;
  const { message } = error;
  if (error instanceof RangeError) {
    return message.includes('string length') ? meter.tooLarge() : meter.tooDeep();
  }
  const missing = /^The partial (.+) could not be found/s.exec(message)?.[1];
  if (missing !== undefined)
    return new Fault('template_invalid.partial_missing', { name: missing }, { cause: error });
  // A field named `toString` or `valueOf` beside an outer context that is text: Handlebars compares the two.
  if (message.includes('primitive value')) return new Fault('template_invalid.value', {}, { cause: error });
  return error;
}
