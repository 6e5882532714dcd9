import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStripePeer } from '../../billing/setup.ts';
import type { StripePeer } from '../../peers/stripe/peer.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { newPerson } from './person.ts';
import { useWebWithSignIn } from './use-web.ts';

let peer: StripePeer;
let plain: ServedApp;
beforeAll(async () => {
  peer = await openStripePeer();
  plain = await openServedApp({ AUTH_MODE: 'open' });
  await plain.accounts.local();
});
afterAll(async () => {
  await plain.close();
  expect(peer.violations).toEqual([]);
  await peer.close();
});

const web = useWebWithSignIn(() => ({
  STRIPE_SECRET_KEY: peer.secretKey,
  STRIPE_WEBHOOK_SECRET: peer.webhookSecret,
  STRIPE_BASE_URL: peer.url,
}));
const { person } = web;
const { press, see } = web.steps;

/** Where the page sends the person to pay; the payment page itself is not opened. */
async function leaving(act: () => Promise<unknown>): Promise<string> {
  const { page } = person;
  const gone = page.waitForRequest((one) => one.isNavigationRequest() && !one.url().startsWith(web.app.url));
  await act();
  return (await gone).url();
}

test('a new person registers, and subscribes to nothing yet', async () => {
  await person.open('/register?next=%2Fbilling');
  await person.page.locator('input[name=email]').fill('ana@fernandclay.example');
  await person.page.locator('input[name=name]').fill('Ana');
  await person.page.locator('input[name=password]').fill('clay on the wheel at nine');
  await person.page.locator('button[type=submit]').click();
  await see('no subscription');
  await see('No invoices yet');
});

test('B4: plans and prices are of the payment service, and the own plan has no button', async () => {
  await see('Hooks plans');
  const cards = await person.page.$$eval('[aria-labelledby=plans-hooks] article', (articles) =>
    articles.map((article) => [
      article.querySelector('h3')?.textContent,
      article.querySelector('.fig')?.textContent,
      article.querySelector('button')?.textContent ?? article.querySelector('.tag')?.textContent,
    ]),
  );
  expect(cards).toEqual([
    ['Free', '$0', 'your plan'],
    ['Pro', '$9', 'Change to Pro'],
    ['Enterprise', '$49', 'Change to Enterprise'],
  ]);
});

test('S8: the plans of the sync are on the same page, and a checkout that fails is said there', async () => {
  const cards = await person.page.$$eval('[aria-labelledby=plans-sync] article', (articles) =>
    articles.map((article) => [
      article.querySelector('h3')?.textContent,
      article.querySelector('.fig')?.textContent,
      article.querySelector('button')?.textContent ?? article.querySelector('.tag')?.textContent,
    ]),
  );
  expect(cards).toEqual([
    ['Free', '$0', 'your plan'],
    ['Pro', '$7', 'Change to Pro'],
    ['Pro API', '$12', 'Change to Pro API'],
  ]);
  peer.fail({ next: 3, status: 500 });
  await person.page.locator('[aria-labelledby=plans-sync] ::-p-text(Change to Pro)').click();
  const banner = await person.page.waitForSelector('[aria-labelledby=plans-sync] [role=alert]');
  expect(await banner?.evaluate(({ textContent }) => textContent)).toMatch(/req_\w+/);
});

test('B1: a plan is paid for elsewhere; the way back thanks once the purchase is there, and the address forgets it', async () => {
  await leaving(() => person.page.locator('[aria-labelledby=plans-hooks] ::-p-text(Change to Pro)').click());
  const [session] = peer.holds.sessions();
  expect(session).toMatchObject({ mode: 'subscription', status: 'open' });
  peer.pay(session?.id ?? '');
  await person.open(`/billing?success=true&session_id=${session?.id}`);
  await see('Thank you. Your purchase is active.');
  expect(await person.page.evaluate(() => `${location.pathname}${location.search}`)).toBe('/billing');
});

test('B2: the summary has plan, state, price and renewal', async () => {
  await see('9.00 USD/month');
  await see('Renews on');
  const state = await person.page.$$eval('.state', (states) =>
    states.map(({ className, textContent }) => `${className} ${textContent}`),
  );
  expect(state.slice(0, 2)).toEqual(['state ok active', 'state void no subscription']);
});

test('B3: an invoice has number, date, state, amount and its page in a new tab', async () => {
  const row = await person.page.waitForSelector('[aria-labelledby=invoices] tbody tr');
  expect(await row?.$$eval('td', (cells) => cells.map((cell) => cell.textContent))).toEqual([
    expect.stringMatching(/\S/),
    expect.stringMatching(/^\d+ \w+ \d{4}$/),
    'paid',
    '9.00 USD',
    expect.stringMatching(/^Open/),
  ]);
  expect(await row?.$eval('a', ({ target, rel }) => [target, rel])).toEqual([
    '_blank',
    'noopener noreferrer',
  ]);
});

test('B2: a subscription that ends says when', async () => {
  const [subscription] = peer.holds.subscriptions();
  peer.portal.cancel(subscription?.id ?? '');
  const [session] = peer.holds.sessions();
  // Coming back with the session is how the page asks the payment service itself.
  await person.open(`/billing?success=true&session_id=${session?.id}`);
  await see('Hooks: your subscription ends on');
});

test('B4: Card and receipts opens the portal of the payment service', async () => {
  const url = await leaving(() => press('Card and receipts'));
  expect(peer.holds.portalSessions().map((one) => one.url)).toContain(url);
});

test('B4: without a payment service the page says so and names the setting, and nothing can be pressed', async () => {
  const other = await newPerson(web.browser, plain.url, { language: 'es' });
  await other.open('/billing');
  await other.page.waitForSelector('::-p-text(Falta el ajuste STRIPE_SECRET_KEY)');
  const inside = await other.page.$$eval('main .page-body button', (buttons) => buttons.length);
  expect(inside).toBe(0);
  expect(other.complaints).toEqual([]);
  await other.leave();
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // The payment pages of the peer are not of this product.
  expect(complaints.filter((one) => !/ERR_|Failed to load/.test(one))).toEqual([]);
});
