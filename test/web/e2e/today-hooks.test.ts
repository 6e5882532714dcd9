import { expect, test } from 'vitest';
import { accessibilityFaults, cutBoxes } from '../../support/look.ts';
import { newPerson } from './person.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person, steps } = web;

const path = () => person.page.evaluate(() => `${location.pathname}${location.search}`);

test('D1: the used hooks are read at once; without a limit they have no ticks and read Unlimited', async () => {
  await person.open('/dashboard');
  expect(person.calls).toContain('GET /api/v1/user/usage');
  await steps.see('used this month, unlimited');
  expect(await person.page.$('[role=progressbar][aria-label="Hooks used this month"]')).toBeNull();
});

test('D2: the current plan has its name, and leads to the plans', async () => {
  await person.open('/dashboard');
  const { subscription } = await web.read('/api/v1/user/profile');
  await steps.see(`Plan: ${subscription.display_name}`);
  await steps.follow('See plans');
  await steps.at(/^\/billing$/);
});

test('D3: an empty topic is refused beside the field, and nobody is led away', async () => {
  await person.open('/dashboard');
  await steps.press('Write hooks');
  await steps.see('Topic is required');
  expect(await person.page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('topic');
  expect(await path()).toBe('/dashboard');
});

test('D3: Enter in the topic leads to the generator, which has it', async () => {
  await person.page.locator('input[name=topic]').fill('glazing a mug & more');
  await person.page.keyboard.press('Enter');
  const field = await person.page.waitForSelector('textarea[name=topic]');
  expect(await field?.evaluate((area) => (area as HTMLTextAreaElement).value)).toBe('glazing a mug & more');
  expect(await path()).toBe('/generator?topic=glazing%20a%20mug%20%26%20more');
});

test.each([
  ['en', 1440, 'Latest hooks'],
  ['es', 390, 'Últimos hooks'],
] as const)(
  'D4: the last five generations are links to their hooks (%s, %i px)',
  async (language, width, name) => {
    for (const nth of [1, 2, 3, 4, 5, 6]) {
      const { status } = await fetch(`${web.app.url}/api/v1/generate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ topic: `${language} mugs ${nth}`, count: 3, provider: 'builtin' }),
      });
      expect(status).toBe(200);
    }
    const other = await newPerson(web.browser, web.app.url, { language, width, theme: 'light' });
    await other.open('/dashboard');
    const links = await other.page.$$eval(`nav[aria-label="${name}"] a`, (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(links).toEqual([6, 5, 4, 3, 2].map((nth) => `${language} mugs ${nth}`));
    expect([await accessibilityFaults(other.page), await cutBoxes(other.page)]).toEqual([[], []]);
    await other.page.locator(`nav[aria-label="${name}"] a`).click();
    await other.page.waitForSelector('[role=dialog]');
    await other.leave();
  },
);
