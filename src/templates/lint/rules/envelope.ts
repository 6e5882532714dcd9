import type { Examined } from '../effective-style.ts';
import { foreignTags } from '../foreign-tags.ts';
import type { Found, Mail } from '../rules.ts';
import { MUSTACHE } from './links.ts';

const SUBJECT = 78;
const PREHEADER = 140;

/** Rules about what is sent beside the HTML. 78 characters is the length RFC 5322 recommends for a line. */
export function* envelope({ subject, preheader: preview, text }: Mail): Iterable<Found> {
  for (const left of [subject, preview, text].flatMap((field) => MUSTACHE.exec(field ?? '') ?? []))
    yield { rule: 'unfilled-variable', params: { text: left } };
  for (const tag of foreignTags([subject, preview, text].join('\n')))
    yield { rule: 'foreign-tag', params: { text: tag }, group: `foreign-tag ${tag}` };
  yield* subjectLine(subject?.trim() ?? '');
  const length = [...(preview ?? '')].length;
  if (length > PREHEADER) yield { rule: 'preheader-long', params: { length, limit: PREHEADER } };
  if (!text?.trim()) yield { rule: 'text-missing' };
}

function* subjectLine(subject: string): Iterable<Found> {
  if (subject === '') {
    yield { rule: 'subject-missing' };
    return;
  }
  const length = [...subject].length;
  if (length > SUBJECT) yield { rule: 'subject-long', params: { length, limit: SUBJECT } };
  if (looksLikeSpam(subject)) yield { rule: 'subject-style' };
}

function looksLikeSpam(subject: string): boolean {
  const letters = subject.replace(/\P{L}/gu, '');
  const isShouting =
    letters.length >= 8 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  const hasWords = /[\p{L}\p{N}]/u.test(subject);
  return (
    isShouting ||
    !hasWords ||
    /^(?:re|fwd?)\s*:/i.test(subject) ||
    /[!?$€]{3}|!.*!.*!/.test(subject.slice(0, 500))
  );
}

/** An email without a preheader shows the first words of its body in the list of emails. */
export function* preheader({ mail, page, looks }: Examined): Iterable<Found> {
  const opening = page.texts.find(
    ({ text, parent }) => text.trim() !== '' && !HEAD.has(parent.tag) && looks.get(parent)?.isHidden,
  );
  if (!mail.preheader?.trim() && !opening) yield { rule: 'preheader-missing' };
}

const HEAD = new Set(['head', 'title', 'noscript']);
