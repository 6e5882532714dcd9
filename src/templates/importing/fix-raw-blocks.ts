import type { z } from 'zod';
import { Fault, type FaultDetail } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { ITEM, refOf } from '../engine/paths.ts';
import type { DataSchema, Document } from '../schema.ts';
import { offsetAt } from './rewriting/rewriting.ts';

type Schema = z.output<typeof DataSchema>;
/** Throws the Fault that says what is wrong with a document. */
type Prepare = (document: Document) => Promise<unknown>;
type Mended = { readonly document: Document; readonly notes: readonly Warning[] };

/**
 * Other services print HTML from the data wherever three braces stand. Here the schema must say that a variable is
 * HTML, so it is made to; inside a tag three braces become two, which print the same text.
 */
export async function fixRawBlocks(prepare: Prepare, document: Document): Promise<Mended> {
  const details = await problemsOf(prepare, document);
  const places = details.filter((detail) => 'key' in detail && detail.key === 'unsafe_context.raw_place');
  const raw = details.filter(
    (detail) =>
      'key' in detail &&
      detail.key === 'unsafe_context.raw' &&
      !places.some(({ line, col }) => line === detail.line && col === detail.col),
  );
  if (raw.length + places.length === 0) return { document, notes: [] };
  const names = new Set(raw.map((detail) => String('params' in detail && detail.params?.['name'])));
  const html = places.reduceRight(withTwoBraces, document.html);
  const schema = [...names].reduce((made, name) => withHtml(made, refOf(name)), document.schema ?? {});
  return {
    document: { ...document, html, ...(names.size > 0 && { schema: { type: 'object', ...schema } }) },
    notes: [
      ...[...names].map((variable): Warning => ({ key: 'import_raw', params: { variable } })),
      ...places.map(({ line = 1, col = 1 }): Warning => ({ key: 'import_raw_place', line, col })),
    ],
  };
}

async function problemsOf(prepare: Prepare, document: Document): Promise<readonly FaultDetail[]> {
  try {
    await prepare(document);
    return [];
  } catch (error) {
    // The check that follows says what is wrong; here only what can be fixed counts.
    if (!(error instanceof Fault) || error.status !== 422) throw error;
    return error.errors;
  }
}

function withTwoBraces(html: string, { line = 1, col = 1 }: FaultDetail): string {
  const start = offsetAt(html, { line, col });
  const end = html.indexOf('}}}', start);
  if (!html.startsWith('{{{', start) || end < 0) return html;
  // Spaces in the place of braces, so that what follows stays where it was.
  return `${html.slice(0, start)}{{ ${html.slice(start + 3, end)} }}${html.slice(end + 3)}`;
}

/** The schema with `format: html` at the place of a variable, such as `items[].body`. */
function withHtml(schema: Schema, [part, ...rest]: readonly string[]): Schema {
  if (part === undefined) return { ...schema, type: 'string', format: 'html' };
  if (part === ITEM) return { ...schema, type: 'array', items: withHtml(asSchema(schema['items']), rest) };
  const properties = asSchema(schema['properties']);
  const field = Object.hasOwn(properties, part) ? asSchema(properties[part]) : {};
  return { ...schema, type: 'object', properties: { ...properties, [part]: withHtml(field, rest) } };
}

function asSchema(value: Schema[string] | undefined): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
