import { beforeAll, expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person, read, send } = web;
const { fill, follow, press, see } = web.steps;

beforeAll(() => {
  void web.app.videos.start();
});

type Video = Record<'id' | 'title' | 'template' | 'status', string> &
  Record<'width' | 'height' | 'duration', number>;

const videos = (): Promise<Video[]> => read('/videos');

/** The data of the last preview that was asked for, once it has this text. */
const previewWith = (said: string) =>
  person.page.waitForRequest(
    (request) =>
      /\/video-templates\/[^/]+\/preview$/.test(request.url()) && (request.postData() ?? '').includes(said),
  );

/** The frame that shows the preview. */
async function shownPreview(which = '') {
  const element = await person.page.waitForSelector(
    `iframe[title="Preview of the video"]:not([data-coming])${which}`,
  );
  const frame = await element?.contentFrame();
  if (!frame) throw new Error('the preview has no frame');
  return frame;
}

test('V1: a wall without videos says what a video is, and starts with a template that plays', async () => {
  await person.open('/videos');
  await see('No videos yet');
  const frame = await shownPreview();
  expect(await frame.evaluate(() => globalThis.origin)).toBe('null');
  await follow('Start with this template');
  const select = await person.page.waitForSelector('main select');
  expect(await select?.evaluate(({ value }) => value)).toBe('product');
});

test('V1: the form has a field for each of the schema, and the preview shows what is typed', async () => {
  await person.open('/videos/new?template=listicle&aspect=1:1');
  const asked = previewWith('A teapot');
  const answer = person.page.waitForResponse((response) =>
    (response.request().postData() ?? '').includes('A teapot'),
  );
  await fill('Title', 'Three things for a stall');
  await press('Add to Items');
  const inputs = await person.page.$$('fieldset fieldset input');
  await inputs[0]?.type('A teapot');
  const request = await asked;
  expect(JSON.parse(request.postData() ?? '')).toEqual({
    aspect: '1:1',
    duration: 18,
    data: { title: 'Three things for a stall', items: [{ title: 'A teapot' }] },
  });
  const { pathname, search } = new URL((await (await answer).json()).url);
  const frame = await shownPreview(`[src="${pathname}${search}"]`);
  await frame.waitForSelector('::-p-text(teapot)');
});

test('V1: what the server refuses is said at its field, and nothing is made', async () => {
  await person.open('/videos/new?template=listicle');
  await fill('Seconds', 'soon');
  await press('Render');
  await see('must be a number');
  const said = await person.page.$$eval('[aria-invalid=true]', (fields) =>
    fields.map((field) => document.querySelector(`label[for="${field.id}"]`)?.textContent?.replace(' *', '')),
  );
  expect(said).toContain('Seconds');
  expect(await videos()).toEqual([]);
});

test('V3: a hook in the address becomes the first words of a video of the template for hooks', async () => {
  const asked = previewWith('Stop posting at noon');
  await person.open('/videos/new?hook=Stop%20posting%20at%20noon');
  const { data } = JSON.parse((await asked).postData() ?? '');
  expect(data).toEqual({ hook: 'Stop posting at noon', title: 'Stop posting at noon' });
});

test('V2: a video is followed on its page until it plays there, without a reload', async () => {
  const { page } = person;
  await fill('Seconds', '1');
  await page.select('select:has(option[value=draft])', 'draft');
  await page.locator('textarea[aria-describedby]').fill('1\n00:00:00,000 --> 00:00:01,000\nEvery morning');
  await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
  await press('Render 1 s');
  await page.waitForFunction(() => /^\/videos\/vid_/.test(location.pathname));
  await page.waitForSelector('video');
  const [video] = await videos();
  expect(video).toMatchObject({
    title: 'Stop posting at noon',
    template: 'hook',
    duration: 1,
    status: 'completed',
  });
  expect(person.calls).toContain(`GET /videos/${video?.id}/events`);
  expect(await page.evaluate(() => Reflect.get(window, 'sameDocument'))).toBe(true);
  const played = await page.$eval('video', async (player) => {
    player.muted = true;
    await player.play();
    return {
      width: player.videoWidth,
      tracks: player.textTracks.length,
      seconds: Math.round(player.duration),
    };
  });
  expect(played).toEqual({ width: 1080, tracks: 1, seconds: 1 });
  const download = await page.$eval('a[download]', ({ href }) => href);
  const file = await fetch(download);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
});

test('V2: what failed says why, and one press tries it again', async () => {
  const { id } = await send('POST', '/videos', {
    title: 'November in figures',
    duration: 1,
    quality: 'draft',
    audio: [{ src: 'https://nowhere.invalid/song.mp3' }],
  });
  await person.open(`/videos/${id}`);
  await see('The video could not be rendered');
  await see('nowhere.invalid');
  await see('Check the URL, then press');
  const words = await person.page.$eval('main', ({ innerText }) => innerText);
  expect(words).toContain("press 'Try again'.");
  expect(words).not.toContain('POST /');
  const again = person.page.waitForResponse((response) => response.url().endsWith(`/videos/${id}/retry`));
  await press('Try again');
  expect((await again).status()).toBe(200);
  await see('2 attempts');
});

test('V1: the wall shows posters and states, the failed ones by a filter, and a page at a time', async () => {
  const { page } = person;
  await person.open('/videos');
  const cards = await page.$$eval('ul a[href^="/videos/vid_"]', (links) =>
    links.map((link) => [link.querySelector('.strong')?.textContent, link.querySelector('img') !== null]),
  );
  expect(cards).toEqual([
    ['November in figures', false],
    ['Stop posting at noon', true],
  ]);
  await page.locator('::-p-text(Failed)').click();
  await page.waitForFunction(() => new URLSearchParams(location.search).get('status') === 'failed');
  await page.waitForFunction(() => document.querySelectorAll('ul a[href^="/videos/vid_"]').length === 1);
  await see('Check the URL, then press');
});

test('V2: a video is deleted after a question that names it', async () => {
  const { page } = person;
  const failed = (await videos()).find(({ status }) => status === 'failed');
  await person.open(`/videos/${failed?.id}`);
  await press('Delete');
  const dialog = await page.waitForSelector('[role=dialog]');
  expect(await dialog?.evaluate(({ textContent }) => textContent)).toContain('Delete November in figures');
  await page.locator('[role=dialog] ::-p-aria([name="Delete"][role="button"])').click();
  await page.waitForFunction(() => location.pathname === '/videos');
  expect((await videos()).map(({ title }) => title)).toEqual(['Stop posting at noon']);
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(person.calls.length).toBeGreaterThan(20);
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports the refused request, and previews that wait for a field.
  expect(complaints.filter((one) => !/status of 422/.test(one))).toEqual([]);
});
