import type { CDPSession, Browser as Chromium } from 'puppeteer-core';

/** A page without JavaScript or network. No state of one document reaches the next. */
export type BlankPage = {
  readonly cdp: CDPSession;
  /** Rejects when the page's process or the whole browser ends. */
  readonly gone: Promise<never>;
  /** Replaces the document and waits until the new one is loaded. */
  show(html: string): Promise<void>;
  /** Stops what the document could still do, since the next one may belong to another caller. */
  reset(): Promise<void>;
  /** Closes the page, even one that is not responding. */
  end(): Promise<void>;
};

// Without JavaScript, a refresh is the only thing a document does on a timer. Attribute names have no other spelling.
const REFRESHING = /http-equiv(?!\s*=\s*["']?(?:content-type|content-language|x-ua-compatible)\b)/i;

const OPEN_TIMEOUT_MS = 5_000;
const RESET_TIMEOUT_MS = 3_000;
const END_TIMEOUT_MS = 3_000;

/** Opens a page in its own browser context, and so in its own process. */
export async function openBlankPage(chromium: Chromium): Promise<BlankPage> {
  const context = await chromium.createBrowserContext({ downloadBehavior: { policy: 'deny' } });
  const gone = Promise.withResolvers<never>();
  // An unawaited rejection would end the process.
  gone.promise.catch(() => {});
  const onDisconnected = () => gone.reject(new Error('the browser is gone'));
  chromium.once('disconnected', onDisconnected);
  const open = async () => {
    const page = await context.newPage();
    page.once('error', (error) => gone.reject(error));
    page.once('close', () => gone.reject(new Error('the page was closed')));
    await page.setJavaScriptEnabled(false);
    await page.setOfflineMode(true);
    const cdp = await page.createCDPSession();
    await refuseNavigation(cdp);
    return { page, cdp };
  };
  const { page, cdp } = await withDeadline(OPEN_TIMEOUT_MS, Promise.race([open(), gone.promise])).catch(
    (error: unknown) => {
      chromium.off('disconnected', onDisconnected);
      context.close().catch(() => {});
      throw error;
    },
  );
  let mayRefresh = false;
  return { cdp, gone: gone.promise, show, reset, end };

  async function show(html: string): Promise<void> {
    mayRefresh ||= REFRESHING.test(html);
    await page.setContent(html, { waitUntil: 'load', timeout: 0 });
  }

  // A new document replaces everything of the one before, but a delayed refresh would still navigate away. Going to
  // an empty page stops it; that costs half as much as a print, so only documents with a refresh pay.
  async function reset(): Promise<void> {
    if (!mayRefresh) return;
    mayRefresh = false;
    await page.goto('about:blank', { timeout: RESET_TIMEOUT_MS });
    await cdp.send('Page.resetNavigationHistory');
  }

  async function end(): Promise<void> {
    // A busy document keeps its process running after the page is closed, so the process is ended first.
    chromium.off('disconnected', onDisconnected);
    cdp.send('Page.crash').catch(() => {});
    await withDeadline(END_TIMEOUT_MS, context.close());
  }
}

// A document that refreshes to another address would be printed as an error page. Documents without an address, such
// as about:blank and srcdoc, are not intercepted here.
async function refuseNavigation(cdp: CDPSession): Promise<void> {
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => {});
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] });
}

async function withDeadline<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`the page did not answer within ${ms} ms`)), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
