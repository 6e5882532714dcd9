import { createHash } from 'node:crypto';
import type { Document } from '../schema.ts';

/** Fields as a caller sends them to create or change a template; an empty text, schema or layout removes the field. */
export type DocumentChange = { readonly [Field in keyof Document]?: Document[Field] | undefined };

/** The document with the changes made, without empty fields and a format that is HTML. `html` is always there, even when empty. */
export function changeDocument(document: Document | undefined, change: DocumentChange): Document {
  const { html = '', ...fields } = { ...document, ...defined(change) };
  const kept = Object.entries(fields).filter(([field, value]) => !isEmpty(value) && !isUsual(field, value));
  return { html, ...Object.fromEntries(kept) };
}

/** The identity of a content: SHA-256 over its JSON with sorted keys. */
export function hashDocument(document: Document): string {
  return createHash('sha256').update(canonical(document)).digest('hex');
}

function defined(change: DocumentChange): DocumentChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

/** Not kept, so that the hashes of documents from before there were formats stay the same. */
function isUsual(field: string, value: unknown): boolean {
  return field === 'format' && value === 'html';
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner));
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
