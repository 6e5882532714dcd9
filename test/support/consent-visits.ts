import { expect } from 'vitest';
import { newBrowser, type Person, type Shown } from './oauth-person.ts';

/** A browser that opens links to connect: it keeps cookies, and goes on from page to page as a person does. */
export function newVisitor(site: string, provider: string) {
  const browser = newBrowser(site, []);
  const outside = newBrowser(provider, []);
  return {
    /** Opens a link and signs in there. Returns the address of the provider's page. */
    async begin(link: string, { email, password }: Person): Promise<string> {
      const page = await browser.open(link);
      expect(page.status).toBe(200);
      const left = await browser.submit(page, 'action=enter', { email, password });
      return linkIn(left);
    },
    browser,
    /** Decides on the provider's page. Returns where that leads back to. */
    async decide(
      address: string,
      answer: 'allow' | 'deny',
      typed: Record<string, string> = {},
    ): Promise<URL> {
      const page = await outside.open(address);
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Allow')]);
      return (await outside.submit(page, `answer=${answer}`, typed, { origin: provider })).url;
    },
    /** Comes back from the provider. */
    arrive: (back: URL) => browser.open(back),
  };
}

/** Where a page leads that goes on at once. */
export function linkIn({ status, text, headers }: Shown): string {
  const [, address = ''] = /^0;url=(.+)$/.exec(headers.get('refresh') ?? '') ?? [];
  if (address === '') throw new Error(`it leads nowhere: ${status} ${text}`);
  return address;
}
