import { type Browser, type BrowserContext, launch, type Page } from 'puppeteer-core';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { machineEnvironment } from '../../../src/platform/machine-environment.ts';
import { silentLog } from '../../support/app.ts';

export type Sight = {
  readonly theme?: 'dark' | 'light' | 'system';
  readonly language?: 'en' | 'es';
  readonly width?: 1440 | 390 | 360;
};

/** Someone who uses the product in a browser of their own. */
export type Person = {
  readonly page: Page;
  /** What the browser complained of: errors of scripts, refusals of the page's policy, failed requests. */
  readonly complaints: string[];
  /** Every request to the API, as method and path. */
  readonly calls: string[];
  /** Opens a page and waits until it has what it shows. */
  open(path: string): Promise<void>;
  leave(): Promise<void>;
};

/** A real browser; it is told to end when the tests of a file are done. */
export async function openBrowser(): Promise<Browser> {
  const { executable, kind, environment } = await resolveBrowser({
    executablePath: machineEnvironment()['PUPPETEER_EXECUTABLE_PATH'],
    log: silentLog,
  });
  return launch({
    executablePath: executable,
    headless: kind === 'shell' ? 'shell' : true,
    pipe: true,
    env: { ...machineEnvironment(), ...environment },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
    protocolTimeout: 120_000,
  });
}

export async function newPerson(browser: Browser, base: string, sight: Sight = {}): Promise<Person> {
  const { theme = 'dark', language = 'en', width = 1440 } = sight;
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  // Less than a test has, so that a failure names the step.
  page.setDefaultTimeout(30_000);
  await setPreferences(context, base, { theme, language });
  const isPhone = width < 600;
  await page.setViewport({ width, height: 900, isMobile: isPhone, hasTouch: isPhone });
  const complaints: string[] = [];
  const calls: string[] = [];
  page.on('pageerror', (error) =>
    complaints.push(`error: ${error instanceof Error ? error.message : error}`),
  );
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    const isApi = request.resourceType() === 'fetch' || request.resourceType() === 'xhr';
    if (origin === base && isApi) calls.push(`${request.method()} ${pathname}`);
  });
  return {
    page,
    complaints,
    calls,
    async open(path) {
      await page.goto(`${base}${path}`, { waitUntil: 'networkidle0' });
      await page.waitForSelector('main');
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
    },
    leave: () => context.close(),
  };
}

async function setPreferences(
  context: BrowserContext,
  base: string,
  preferences: Readonly<Record<'theme' | 'language', string>>,
): Promise<void> {
  const { hostname: domain } = new URL(base);
  await context.setCookie(
    ...Object.entries(preferences).map(([name, value]) => ({ name, value, domain, path: '/' })),
  );
}
