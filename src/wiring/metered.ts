import type { Browser } from '../platform/browser/browser.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Rendering } from '../templates/rendering/rendering.ts';

/** The same browser; what it prints and pictures is counted. */
export function meteredBrowser(browser: Browser, metrics: Metrics): Browser {
  return {
    ...browser,
    print: (...args) => metrics.render('pdf', () => browser.print(...args)),
    screenshot: (...args) => metrics.render('screenshot', () => browser.screenshot(...args)),
  };
}

/** The same rendering; emails that are sent or shown are counted, what is printed beside one is not. */
export function meteredRendering(rendering: Rendering, metrics: Metrics): Rendering {
  return {
    ...rendering,
    render: (...args) => metrics.render('email', () => rendering.render(...args)),
    // Of the rows of a batch.
    finish: (...args) => metrics.render('email', () => rendering.finish(...args)),
    show: (...args) => metrics.render('email', () => rendering.show(...args)),
  };
}
