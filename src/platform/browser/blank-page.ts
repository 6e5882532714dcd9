import type { CDPSession, Browser as Chromium } from 'puppeteer';

/** A page without JavaScript and network, which nothing of one document outlives. */
export type BlankPage = {
  readonly cdp: CDPSession;
  /** Rejects when the page is gone: its process ended, or the whole browser did. */
  readonly gone: Promise<never>;
  /** Shows a document in place of the one before, and waits until all of it is loaded. */
  show(html: string): Promise<void>;
  /** Makes sure that the document does nothing later, when the next one's owner may be another. */
  reset(): Promise<void>;
  /** Ends the page even when it does not answer. */
  end(): Promise<void>;
};

// The only thing a document without JavaScript does by itself. Names of attributes cannot be written in another way.
const REFRESHING = /http-equiv(?!\s*=\s*["']?(?:content-type|content-language|x-ua-compatible)\b)/i;

const OPEN_TIMEOUT_MS = 5_000;
const RESET_TIMEOUT_MS = 3_000;
const END_TIMEOUT_MS = 3_000;

/** Opens a page with a context, and so a process, of its own. */
export async function openBlankPage(chromium: Chromium): Promise<BlankPage> {
  const context = await chromium.createBrowserContext({ downloadBehavior: { policy: 'deny' } });
  const gone = Promise.withResolvers<never>();
  // Nobody may be waiting for it at the time.
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

  // A new document takes the place of all that the one before was, but a delayed refresh would still take the page away.
  // Leaving for an empty page stops that; it costs half as much as printing, so only documents that ask for it pay.
  async function reset(): Promise<void> {
    if (!mayRefresh) return;
    mayRefresh = false;
    await page.goto('about:blank', { timeout: RESET_TIMEOUT_MS });
    await cdp.send('Page.resetNavigationHistory');
  }

  async function end(): Promise<void> {
    // A document that keeps its process busy goes on doing so after its page is closed, so the process is ended first.
    chromium.off('disconnected', onDisconnected);
    cdp.send('Page.crash').catch(() => {});
    await withDeadline(END_TIMEOUT_MS, context.close());
  }
}

// A document that refreshes itself to another address would be printed as the error page it leads to. What comes from no
// address, such as about:blank and srcdoc, is not asked for here.
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
