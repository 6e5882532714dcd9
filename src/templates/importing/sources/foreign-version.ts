import { setImmediate } from 'node:timers/promises';
import type { Warning } from '../../../language.ts';
import { newId } from '../../../platform/ids.ts';
import { changeDocument } from '../../document.ts';
import type { ArrivingVersion } from '../arrival.ts';
import { type Dialect, rewrite } from '../rewriting/rewrite.ts';

type Content = {
  readonly title: string;
  readonly message: string;
  readonly html: string;
  readonly subject?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly layout?: string | undefined;
};

/** A version whose texts are rewritten from another service's syntax. Others are served between two of them. */
export async function foreignVersion(
  { title, message, html, subject, text, layout }: Content,
  dialect: Dialect,
): Promise<{ version: ArrivingVersion; notes: readonly Warning[] }> {
  await setImmediate();
  const rewritten = {
    html: rewrite(html, 'html', dialect),
    subject: rewrite(subject ?? '', 'subject', dialect),
    text: rewrite(text ?? '', 'text', dialect),
  };
  const fields = {
    html: rewritten.html.text,
    subject: rewritten.subject.text,
    text: rewritten.text.text,
    layout,
  };
  const version = {
    id: newId('ver'),
    title,
    message: message.slice(0, 500).toWellFormed(),
    document: changeDocument(undefined, fields),
    placeBefore: Object.fromEntries(
      Object.entries(rewritten).map(([field, one]) => [field, one.placeBefore]),
    ),
  };
  return { version, notes: Object.values(rewritten).flatMap((one) => one.notes) };
}
