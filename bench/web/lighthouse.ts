import { existsSync } from 'node:fs';
import { launch } from 'puppeteer-core';
import { z } from 'zod';

const ENTRY = new URL('peers/node_modules/lighthouse/core/index.js', import.meta.url);

/** One visit of a page. `lcp` is in seconds, scores are 0 to 100. */
export type Visit = {
  readonly lcp: number;
  readonly cls: number;
  readonly performance: number;
  readonly accessibility: number;
  readonly 'best-practices': number;
  /** Audits of accessibility and best practices that cost points, each with what it points at. */
  readonly failures: readonly string[];
};

const Score = z.object({
  score: z
    .number()
    .nullable()
    .transform((score) => Math.round((score ?? 0) * 100)),
});
const Category = Score.extend({
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});
const Audit = z.object({
  score: z.number().nullable(),
  numericValue: z.number().optional(),
  details: z.object({ items: z.unknown() }).partial().optional(),
});
const Report = z.object({
  lhr: z.object({
    lighthouseVersion: z.string(),
    runtimeError: z.object({ message: z.string() }).optional(),
    categories: z.object({ performance: Score, accessibility: Category, 'best-practices': Category }),
    audits: z.record(z.string(), Audit),
  }),
});

/** False until `npm ci --prefix bench/web/peers` has run. */
export const isLighthouseInstalled = () => existsSync(ENTRY);

/**
 * Lighthouse's phone in a browser of its own, cold: 412 px, 150 ms, 1.6 Mbit/s, processor 4 times slower. The network and the
 * processor are simulated from a fast load, unless `throttling` is `devtools`.
 */
export async function openLighthouse(executablePath: string, throttling: 'simulate' | 'devtools') {
  const { default: lighthouse } = await import(ENTRY.href);
  const browser = await launch({
    executablePath,
    headless: executablePath.includes('headless') ? 'shell' : true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  return {
    /** @throws Error if the page did not load */
    async visit(url: string): Promise<Visit> {
      const page = await browser.newPage();
      try {
        const flags = {
          logLevel: 'silent',
          throttlingMethod: throttling,
          onlyCategories: ['performance', 'accessibility', 'best-practices'],
        };
        return visitOf(await lighthouse(url, flags, undefined, page));
      } finally {
        await page.close();
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await browser.close();
    },
  };
}

function visitOf(result: unknown): Visit {
  const { lhr } = Report.parse(result);
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const { categories, audits } = lhr;
  const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const lost = [categories.accessibility, categories['best-practices']]
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1);
  return {
    lcp: figure('largest-contentful-paint') / 1000,
    cls: figure('cumulative-layout-shift'),
    performance: categories.performance.score,
    accessibility: categories.accessibility.score,
    'best-practices': categories['best-practices'].score,
    failures: lost.map(
      ({ id }) => `${id}: ${JSON.stringify(audits[id]?.details?.items ?? []).slice(0, 300)}`,
    ),
  };
}
