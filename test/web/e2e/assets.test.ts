import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const MARK = fileURLToPath(new URL('../../../web/public/mark.svg', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../web/index.html', import.meta.url));

const web = useWeb();
const { person, read, send } = web;
const { press, see } = web.steps;

const paths = async (query = ''): Promise<string[]> => {
  const { items } = await read(`/v1/assets${query}`);
  return items.map(({ path }: { path: string }) => path);
};

/** Files of these names held over the page, dropped on it or pasted into it, as a browser tells of them. */
const give = (kind: 'drop' | 'paste', files: Readonly<Record<string, string>>) =>
  person.page.evaluate(
    (how, contents) => {
      const transfer = new DataTransfer();
      for (const [name, content] of Object.entries(contents)) transfer.items.add(new File([content], name));
      dispatchEvent(
        how === 'drop'
          ? new DragEvent('drop', { dataTransfer: transfer, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: transfer }),
      );
    },
    kind,
    files,
  );

const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z" fill="${color}"/></svg>`;

test('files are uploaded by the button, several at once, and each that is refused says why beside its name', async () => {
  await person.open('/assets');
  await see('No files yet');
  const input = await person.page.waitForSelector('input[type=file]');
  await (input as unknown as { uploadFile(...files: string[]): Promise<void> }).uploadFile(MARK, PAGE);
  await person.page.waitForSelector('button ::-p-text(mark.svg)');
  const refused = await person.page.waitForSelector('li[data-refused]');
  const said = await refused?.evaluate(({ textContent }) => textContent);
  expect(said).toContain('index.html');
  expect(said?.length).toBeGreaterThan('index.html'.length + 20);
  expect(await paths()).toEqual(['mark.svg']);
});

test('files are uploaded by dropping them, into the open folder, and by pasting', async () => {
  await person.open('/assets?folder=images/2026');
  await give('drop', { 'Tide mug.svg': svg('red'), 'Bowl.svg': svg('blue') });
  await person.page.waitForSelector('button ::-p-text(Tide-mug.svg)');
  await person.page.waitForSelector('button ::-p-text(Bowl.svg)');
  await person.open('/assets');
  await give('paste', { 'pasted.svg': svg('green') });
  await person.page.waitForSelector('button ::-p-text(pasted.svg)');
  expect(await paths()).toEqual([
    'images/2026/Bowl.svg',
    'images/2026/Tide-mug.svg',
    'mark.svg',
    'pasted.svg',
  ]);
});

test('the library is searched, and its folders and tags are opened', async () => {
  const { page } = person;
  await page.locator('input[aria-label="Search files"]').fill('mug');
  await page.waitForFunction(() => document.querySelectorAll('main ul li img').length === 1);
  await person.open('/assets');
  await page.locator('button ::-p-text(images/2026)').click();
  await page.waitForFunction(() => document.querySelectorAll('main ul li img').length === 2);
  expect(await page.evaluate(() => new URLSearchParams(location.search).get('folder'))).toBe('images/2026');
});

test('a file shows what uses it, its reference and its public address, and is described', async () => {
  const { page } = person;
  await send('PATCH', '/v1/templates/welcome', {
    html: '<p>Hello</p><img src="asset:mark.svg" alt="Mark">',
  });
  await person.open('/assets');
  await page.locator('button ::-p-text(mark.svg)').click();
  const dialog = '[role=dialog]';
  await page.waitForSelector(`${dialog} a[href="/templates/welcome"]`);
  await see('asset:mark.svg');
  await page
    .locator(`${dialog} ::-p-aria([name="Description"][role="textbox"])`)
    .fill('The mark of the shop');
  await page.locator(`${dialog} ::-p-aria([name="Tags"][role="textbox"])`).fill('logo, 2026');
  await press('Save');
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  const mark = await read('/v1/assets/mark.svg');
  expect([mark.alt, mark.tags]).toEqual(['The mark of the shop', ['logo', '2026']]);
  expect(await paths('?tag=logo')).toEqual(['mark.svg']);
});

test('what nothing uses is listed alone, and a deleted file comes back by Undo', async () => {
  const { page } = person;
  await person.open('/assets');
  await page.locator('label ::-p-text(Unused)').click();
  await page.waitForFunction(() => document.querySelectorAll('main ul li img').length === 3);
  await page.locator('button ::-p-text(pasted.svg)').click();
  await press('Delete');
  await see('Deleted pasted.svg');
  expect(await paths('?deleted=true')).toEqual(['pasted.svg']);
  await press('Undo');
  await see('Restored pasted.svg');
  expect(await paths('?deleted=true')).toEqual([]);
});

test('what is in use is deleted only by a second word', async () => {
  await person.open('/assets');
  await person.page.locator('button ::-p-text(mark.svg)').click();
  await press('Delete');
  await see('This file is in use');
  expect(await paths('?deleted=true')).toEqual([]);
  await press('Delete anyway');
  await see('Deleted mark.svg');
  expect(await paths('?deleted=true')).toEqual(['mark.svg']);
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports the file that was refused, and the one that is in use.
  expect(complaints.filter((one) => !/status of (409|415|422)/.test(one))).toEqual([]);
});
