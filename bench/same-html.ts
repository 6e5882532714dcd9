import { readFileSync } from 'node:fs';
import type { Contestant } from './contestants.ts';
import type { LoadRequest } from './load.ts';

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
    if (htmlOf) mails.set(name, htmlOf(await ask(request, signal)));
  }
  const expected = mails.get(reference) ?? '';
  for (const [name, html] of mails) {
    if (html !== expected) throw new Error(difference(reference, expected, name, html));
  }
  return expected;
}

async function ask({ url, method, bodyFile, authorization }: LoadRequest, signal: AbortSignal) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: bodyFile ? readFileSync(bodyFile) : null,
    signal,
  });
  const reply = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${reply.slice(0, 500)}`);
  return reply;
}

function difference(reference: string, expected: string, name: string, html: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === html[at]) at++;
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 80));
  return `${name} fills the template differently at character ${at}:\n${reference}: ${excerpt(expected)}\n${name}: ${excerpt(html)}`;
}
