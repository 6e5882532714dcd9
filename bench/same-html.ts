import { ask } from './ask.ts';
import type { Contestant } from './contestants.ts';

/**
 * The mail that all contestants make of the same template and data.
 * @throws Error if one fills the template differently from `reference`: then they do not do the same work
 */
export async function assertSameHtml(
  contestants: readonly Contestant[],
  reference: string,
  signal: AbortSignal,
): Promise<string> {
  const mails = new Map<string, string>();
  for (const { name, request, htmlOf } of contestants) {
    if (htmlOf) mails.set(name, htmlOf((await ask(request, signal)).toString('utf8')));
  }
  const expected = mails.get(reference) ?? '';
  for (const [name, html] of mails) {
    if (html !== expected) throw new Error(difference(reference, expected, name, html));
  }
  return expected;
}

function difference(reference: string, expected: string, name: string, html: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === html[at]) at++;
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 80));
  return `${name} fills the template differently at character ${at}:\n${reference}: ${excerpt(expected)}\n${name}: ${excerpt(html)}`;
}
