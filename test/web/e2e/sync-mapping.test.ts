import { beforeAll, expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const web = useWeb(() => ({
  SYNC_DEMO: 'true',
  ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
}));
const { person, steps, read, send } = web;

beforeAll(async () => {
  await web.app.sync.start();
  await send('POST', '/sync/demo', {});
});

const configs = () => read('/sync/configs');

test('S5: a new configuration begins with the documented layout, and offers the nine documented fields first', async () => {
  await person.open('/mapping');
  await steps.press('New configuration');
  await person.page.waitForSelector('[role=dialog] table');
  const fields = await person.page.$$eval(
    'select[aria-label="Store field of line 1"] optgroup:first-of-type option',
    (options) => options.map(({ value }) => value),
  );
  expect(fields).toEqual([
    'sku',
    'title',
    'price',
    'inventory_quantity',
    'barcode',
    'weight',
    'grams',
    'requires_shipping',
    'taxable',
  ]);
  const columns = await person.page.$$eval('[role=dialog] table input', (inputs) =>
    inputs.map(({ value }) => value),
  );
  expect(columns).toEqual(['SKU', 'Stock']);
});

test('S5: columns are suggested from the headers of the sheet and the documented layout', async () => {
  const suggested = await person.page.$$eval('datalist option', (options) =>
    options.map(({ value }) => value),
  );
  expect(suggested).toEqual(['SKU', 'Stock', 'Product']);
});

test('S6: a field that is taken is refused beside its line, and nothing can be saved', async () => {
  await steps.press('Add a line');
  await steps.paste('Sheet column of line 3', 'Price');
  await steps.choose('Store field of line 3', 'sku');
  await steps.see('sku is already in column SKU. Choose another field or remove the line.');
  await steps.see('Fix 1 line before you save');
  expect(await isDisabled('Save')).toBe(true);
});

test('S6: a column that is taken is refused beside its line', async () => {
  await steps.choose('Store field of line 3', 'price');
  await steps.paste('Sheet column of line 3', 'stock');
  await steps.see('The column stock already holds inventory_quantity.');
  expect(await isDisabled('Save')).toBe(true);
});

test('S6: without the key no row can be matched, which is said before saving', async () => {
  await steps.paste('Sheet column of line 3', 'Price');
  await steps.press('Remove line 1');
  await steps.see('One line must have the key by which rows are matched');
  expect(await isDisabled('Save')).toBe(true);
  await steps.press('Add a line');
  await steps.paste('Sheet column of line 3', 'SKU');
  await steps.choose('Store field of line 3', 'sku');
  await person.page.waitForFunction(() => !document.body.textContent?.includes('One line must have the key'));
});

test('S6: a column that the sheet lacks is named, and one click has the next sync add it', async () => {
  await steps.see('The sheet has no column Price yet');
  await steps.press('Add on the next sync');
  await steps.press('Save');
  await steps.gone('[role=dialog]');
  const [config] = await configs();
  expect({ ...config, id: '', created_at: '', updated_at: '' }).toMatchObject({
    direction: 'store_to_sheet',
    add_columns: true,
    schedule: null,
    mappings: [
      { sheet_column: 'Stock', store_field: 'inventory_quantity' },
      { sheet_column: 'Price', store_field: 'price' },
      { sheet_column: 'SKU', store_field: 'sku' },
    ],
  });
});

test('S6: an existing configuration is changed: direction, schedule and a safety limit', async () => {
  await steps.press('Demo Edit the configuration');
  await person.page.waitForSelector('[role=dialog] table');
  await steps.choose('Direction', 'two_way');
  await steps.choose('Runs', '60');
  await steps.choose('When both sides changed', 'store_wins');
  await person.page.click('summary');
  await person.page.locator('::-p-aria([name="Rows changed, %"])').fill('35');
  await steps.press('Save');
  await steps.gone('[role=dialog]');
  const all = await configs();
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({
    direction: 'two_way',
    schedule: { every_minutes: 60 },
    conflict_policy: 'store_wins',
    quantity_merge: false,
    safety_limits: { changed_percent: 35, zeroed_percent: 5, shrunk_percent: 30, price_percent: 50 },
    version: 2,
  });
  await steps.see('every hour');
});

test('S6: a changed configuration asks before it is left, and saves nothing', async () => {
  await steps.press('Demo Edit the configuration');
  await person.page.waitForSelector('[role=dialog] table');
  await steps.choose('Direction', 'sheet_to_store');
  await person.page.keyboard.press('Escape');
  await steps.see('Your changes are not saved');
  await steps.press('Discard the changes');
  await steps.gone('[role=dialog]');
  expect((await configs())[0]).toMatchObject({ direction: 'two_way', version: 2 });
});

test('S6: Save and preview leads to the plan, and nothing is written', async () => {
  await steps.press('Demo Edit the configuration');
  await person.page.waitForSelector('[role=dialog] table');
  await steps.choose('Direction', 'store_to_sheet');
  await steps.press('Save and preview');
  await steps.at(/^\/runs\/plan\/./);
  await steps.see('Before anything is written');
  expect(await read('/sync/history')).toEqual({ items: [], next_cursor: null });
});

test('S5: a configuration is deleted after a question that says what else is deleted', async () => {
  await person.open('/mapping');
  await steps.press('Delete the configuration of demo.myshopify.com and Demo');
  await steps.see('This also deletes its run history, and its runs can no longer be undone.');
  await steps.press('Delete the configuration');
  await steps.see('Nothing syncs yet');
  expect(await configs()).toEqual([]);
});

test('S6 by keyboard alone: open, choose the direction, save', async () => {
  const { page } = person;
  await person.open('/mapping');
  await page.focus('.page-head button');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=dialog] table');
  await page.waitForFunction(() => document.activeElement?.tagName === 'SELECT');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Both');
  await page.keyboard.press('Tab');
  for (let tabs = 0; tabs < 40; tabs += 1) {
    const name = await page.evaluate(() => document.activeElement?.textContent);
    if (name === 'Save') break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await steps.gone('[role=dialog]');
  expect((await configs())[0]).toMatchObject({ direction: 'two_way' });
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(await steps.wrongs(web.app.url)).toEqual({ unknown: [], complaints: [] });
});

const isDisabled = (name: string) =>
  person.page.$$eval(
    '[role=dialog] button',
    (buttons, wanted) => buttons.find(({ textContent }) => textContent === wanted)?.disabled,
    name,
  );
