import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Violation = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
};

/** What axe finds on a page or in a frame, one sentence for each place. */
export async function accessibilityFaults(page: Page | Frame): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`,
  )) as Violation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 120)} ${failureSummary.slice(0, 200)}`,
    ),
  );
}

/** Boxes that the window cuts off, and sideways scrolling of the page. What scrolls by design may be wider. */
export async function cutBoxes(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => {
    const mayBeWider = '.scroll-x, .tabs, .cm-host, .sr, [class*=stage], .awning, .jobline, svg, .skip';
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
    const cut = [...document.querySelectorAll('body *')].filter((box) => {
      const { width, right, left } = box.getBoundingClientRect();
      return width > 0 && box.checkVisibility() && (right > innerWidth + 1 || left < -1) && !box.closest(mayBeWider);
    });
    return [...wide, ...cut.map((box) => box.outerHTML.slice(0, 100))];
  })()`)) as string[];
}
