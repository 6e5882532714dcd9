import { expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const { person } = useWeb();

const root = () =>
  person.page.$eval('html', ({ lang, className, dataset }) => ({
    lang,
    className,
    scheme: dataset['mantineColorScheme'],
    theme: dataset['theme'],
  }));

test('G1: a chosen theme is there before the first paint after a reload; system follows the system live', async () => {
  const { page } = person;
  await person.open('/dashboard');
  expect(await root()).toEqual({ lang: 'en', className: 'dark', scheme: 'dark', theme: 'dark' });
  await page.select('.rail select', 'light');
  await page.waitForFunction(() => document.documentElement.dataset['mantineColorScheme'] === 'light');
  // Before any script: what the server wrote.
  await page.setJavaScriptEnabled(false);
  await page.reload();
  expect(await root()).toEqual({ lang: 'en', className: '', scheme: 'light', theme: 'light' });
  await page.setJavaScriptEnabled(true);
  await person.open('/dashboard');
  await page.select('.rail select', 'system');
  for (const scheme of ['dark', 'light']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.waitForFunction(
      (wanted) => document.documentElement.dataset['mantineColorScheme'] === wanted,
      {},
      scheme,
    );
  }
});

test('G2: the language changes without a reload, stays, and is kept under both names', async () => {
  const { page } = person;
  await page.locator('.rail button[aria-label="Español"]').click();
  await page.waitForSelector('::-p-text(Pendiente de ti)');
  expect(await page.evaluate(() => [localStorage.getItem('language'), localStorage.getItem('lang')])).toEqual(
    ['es', 'es'],
  );
  await person.open('/templates');
  expect((await root()).lang).toBe('es');
  await page.waitForSelector('::-p-text(Nueva plantilla)');
});

test('by keyboard alone: skip link, palette, a template by its name', async () => {
  const { page } = person;
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip');
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForSelector('.mantine-Spotlight-search');
  await page.waitForSelector('::-p-text(product-launch)');
  await page.waitForFunction(() => document.activeElement?.matches('.mantine-Spotlight-search'));
  await page.keyboard.type('product-l');
  await page.waitForFunction(() => document.querySelectorAll('.mantine-Spotlight-action').length === 1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/templates/product-launch');
});

test('g and a letter go to a section, and do nothing where a person types', async () => {
  const { page } = person;
  await person.open('/dashboard');
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForFunction(() => location.pathname === '/templates');
  const search = await page.waitForSelector('input[aria-label]');
  await search?.type('gd');
  await page.waitForFunction(() => location.search === '?q=gd');
  expect(await page.evaluate(() => location.pathname)).toBe('/templates');
});

test('none of this made the browser complain', () => {
  expect(person.complaints).toEqual([]);
});
