import { Fault } from '../../errors.ts';
import type { Document } from '../schema.ts';

/** A model rewrites the whole, and more than this does not fit into one answer. */
const LIMIT = 48 * 1024;

/** The texts of a document as a model is shown them. @throws Fault too_large.model */
export function fieldsOf({ html, css = '', text = '', subject = '', preheader = '' }: Document) {
  const fields = { subject, preheader, html, css, text };
  const bytes = Object.values(fields).reduce((sum, field) => sum + Buffer.byteLength(field), 0);
  if (bytes > LIMIT) throw new Fault('too_large.model', { bytes, limit: LIMIT });
  return fields;
}
