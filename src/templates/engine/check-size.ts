import { COMPILE_LIMITS } from './limits.ts';
import type { Problem } from './problem.ts';
import { FIELDS, type Source } from './source.ts';

/** What can be refused without parsing, in time that grows with the length alone. */
export function checkSize(source: Source): Problem[] {
  return [...FIELDS, 'css' as const].flatMap((field): Problem[] => {
    const text: unknown = source[field];
    if (text === undefined && field !== 'html') return [];
    const loc = ['body', field];
    // A tree of nodes is code to Handlebars, so nothing but text may pass, whatever the types promise.
    if (typeof text !== 'string') return [{ key: 'template_invalid.not_text', params: { field }, loc }];
    if (field === 'css') return checkCss(text);
    return checkText(
      text,
      field,
      field === 'html' && source.generated ? COMPILE_LIMITS.generated : COMPILE_LIMITS,
    );
  });
}

type SizeLimits = { readonly sourceBytes: number; readonly mustaches: number };

function checkText(text: string, field: string, { sourceBytes, mustaches }: SizeLimits): Problem[] {
  const loc = ['body', field];
  const bytes = Buffer.byteLength(text);
  if (bytes > sourceBytes)
    return [{ key: 'template_too_complex.size', params: { field, bytes, limit: sourceBytes }, loc }];
  const count = countMustaches(text);
  if (count <= mustaches) return [];
  return [{ key: 'template_too_complex.mustaches', params: { field, count, limit: mustaches }, loc }];
}

/** The stylesheet is not a template: it is written into a style element as it is. */
function checkCss(css: string): Problem[] {
  const tooLarge = checkText(css.replaceAll('{{', ''), 'css', COMPILE_LIMITS);
  const mustache = css.indexOf('{{');
  const end = css.search(/<\/style/i);
  if (mustache >= 0) tooLarge.push({ key: 'unsafe_context.css', ...placeIn(css, mustache) });
  if (end >= 0) tooLarge.push({ key: 'unsafe_context.css_end', ...placeIn(css, end) });
  return tooLarge;
}

function countMustaches(text: string): number {
  let count = 0;
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at + 2)) count++;
  return count;
}

function placeIn(css: string, at: number) {
  const lines = css.slice(0, at).split('\n');
  const line = lines.length;
  const col = (lines.at(-1)?.length ?? 0) + 1;
  return { params: { field: 'css', line, col }, loc: ['body', 'css'], line, col };
}
