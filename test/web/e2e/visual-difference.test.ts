import { beforeAll, expect, test } from 'vitest';
import { newPerson } from './person.ts';
import { stepsOf } from './steps.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person, steps, send } = web;

beforeAll(async () => {
  const poster = (color: string) => `<div style="height:300px;background:${color}">Hello, {{name}}</div>`;
  const fixtures = { sample: { name: 'Ana' } };
  await send('POST', '/v1/templates', { name: 'poster', html: poster('#ffffff'), fixtures });
  await send('PATCH', '/v1/templates/poster', { html: poster('#12543f') });
});

/** Chooses one of the views by the arrow keys, as a person without a mouse does. */
async function chooseView(name: string): Promise<void> {
  const radio = await person.page.waitForSelector(`::-p-aria([name="${name}"][role="radio"])`);
  await radio?.focus();
  await person.page.keyboard.press('Space');
}

/** The color that a reader sees near the top of a picture, at a share of its width. */
async function colorOf(alt: string, share: number): Promise<string> {
  const picture = await person.page.waitForSelector(`::-p-aria([name="${alt}"][role="image"])`);
  await picture?.evaluate((image) => (image as HTMLImageElement).decode());
  const box = await picture?.evaluate((image) => {
    const { left, top, width } = (image.parentElement ?? image).getBoundingClientRect();
    return { left, top: top + scrollY, width };
  });
  if (!box) throw new Error('the picture has no box');
  const clip = {
    x: Math.round(box.left + box.width * share),
    y: Math.round(box.top) + 60,
    width: 2,
    height: 2,
  };
  const png = await person.page.screenshot({ clip, encoding: 'base64', captureBeyondViewport: false });
  return person.page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas?.drawImage(bitmap, 0, 0);
    const [red, green, blue] = canvas?.getImageData(0, 0, 1, 1).data ?? [];
    return `${red} ${green} ${blue}`;
  }, png);
}

const WHITE = '255 255 255';
const GREEN = '18 84 63';

test('T5: two versions are seen side by side, with the share of pixels that differ', async () => {
  await person.open('/templates/poster/diff?from=v1.0.0&to=main');
  await chooseView('Side by side');
  await steps.see('% of the pixels differ');
  expect(await colorOf('Screenshot of v1.0.0', 0.5)).toBe(WHITE);
  expect(await colorOf('Screenshot of v1.0.1', 0.5)).toBe(GREEN);
});

test('T5: one lies over the other, and the arrow keys move the line between them', async () => {
  await chooseView('Slider');
  expect(await colorOf('Screenshot of v1.0.1', 0.25)).toBe(WHITE);
  expect(await colorOf('Screenshot of v1.0.1', 0.75)).toBe(GREEN);
  const slider = await person.page.waitForSelector('::-p-aria([name="How much of v1.0.0 is shown"])');
  await slider?.focus();
  await person.page.keyboard.press('Home');
  expect(await colorOf('Screenshot of v1.0.1', 0.25)).toBe(GREEN);
  await person.page.keyboard.press('End');
  expect(await colorOf('Screenshot of v1.0.1', 0.75)).toBe(WHITE);
});

test('T5: only the pixels that differ, in red; what is chosen is in the address', async () => {
  await chooseView('Pixels');
  expect(await colorOf('What differs between v1.0.0 and v1.0.1', 0.5)).toMatch(/^2\d\d \d{1,2} \d{1,2}$/);
  await steps.choose('Device', 'mobile');
  await steps.choose('Colors', 'dark');
  expect(new URL(person.page.url()).searchParams.toString()).toBe(
    'from=v1.0.0&to=main&view=pixels&device=mobile&scheme=dark',
  );
  const picture = await person.page.waitForSelector('img[src*="/v1/files/"]');
  await picture?.evaluate((image) => (image as HTMLImageElement).decode());
});

test('T7: a version, filled with the sample, is printed as asked, then opened in a tab or downloaded', async () => {
  for (const [path, version] of [
    ['/templates/poster/diff?from=v1.0.0&to=main&view=both', 'v1.0.0'],
    ['/templates/poster', 'v1.0.1'],
  ] as const) {
    await person.open(path);
    await steps.press(`Export ${version} as PDF`);
    await steps.see('Paper size');
    await steps.choose('Paper size', 'A5');
    await steps.choose('Orientation', 'landscape');
    const asked = person.page.waitForRequest((request) => request.url().endsWith('/v1/export'));
    await steps.press('Create PDF');
    expect(JSON.parse((await asked).postData() ?? '{}')).toEqual({
      ...{ template: 'poster', version, format: 'pdf', data: { name: 'Ana' } },
      options: { page_size: 'A5', landscape: true, margin: '15mm' },
    });
    await steps.see('1 page');
    const links = await person.page.$$eval('[role=dialog] a', (all) =>
      all.map((link) => [link.textContent, link.getAttribute('href') ?? '', link.target, link.download]),
    );
    const file = expect.stringMatching(/^\/v1\/files\//);
    expect(links).toEqual([
      ['Download', file, '', 'poster.pdf'],
      ['Open', file, '_blank', ''],
    ]);
    const response = await fetch(`${web.app.url}${links[0]?.[1]}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(response.headers.get('content-disposition')).toMatch(/^inline/);
  }
});

test('T7: a margin that is no length is told at its field, and a variable without a value with the file', async () => {
  await send('POST', '/v1/templates', { name: 'note', html: '<p>Hello, {{name}}</p>' });
  const other = await newPerson(web.browser, web.app.url);
  const { press, fill, see } = stepsOf(other);
  await other.open('/templates/note');
  await press('Export v1.0.0 as PDF');
  await fill('Margin', 'wide');
  await press('Create PDF');
  await see('must be a length such as 20mm');
  await fill('Margin', '2cm');
  await press('Create PDF');
  await see('Variables without a value: name.');
  await other.leave();
});

test('T5: a difference of a few pixels is not told as none', async () => {
  const card = (dot: string) =>
    `<div style="height:300px;background:#ffffff"><div style="width:4px;height:4px;background:${dot}"></div></div>`;
  await send('POST', '/v1/templates', { name: 'card', html: card('#ffffff') });
  await send('PATCH', '/v1/templates/card', { html: card('#12543f') });
  await person.open('/templates/card/diff?from=v1.0.0&to=main');
  await chooseView('Side by side');
  await steps.see('0.1% of the pixels differ');
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(await steps.wrongs(web.app.url)).toEqual({ unknown: [], complaints: [] });
});
