import { countPages } from '../src/platform/browser/print-page.ts';
import { ask } from './ask.ts';
import type { Contestant } from './contestants.ts';

/**
 * The PDF of each contestant, by pages and bytes.
 * @throws Error if they have not the same number of pages: then they do not do the same work
 */
export async function assertSamePages(
  contestants: readonly Contestant[],
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly pages: number; readonly bytes: number }[]> {
  const prints = [];
  for (const { name, request } of contestants) {
    const pdf = await ask(request, signal);
    prints.push({ name, pages: countPages(pdf), bytes: pdf.length });
  }
  const counts = new Set(prints.map(({ pages }) => pages));
  if (counts.size === 1 && !counts.has(0)) return prints;
  throw new Error(`The PDFs differ: ${prints.map(({ name, pages }) => `${name} ${pages} pages`).join(', ')}`);
}
