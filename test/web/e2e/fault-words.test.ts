import { expect, test } from 'vitest';
import { newPerson } from './person.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();

test.each([
  ['en', '/templates/nothing', "Template 'nothing' not found. All templates are on the page 'Templates'."],
  [
    'es',
    '/templates/nothing',
    'No se encontró la plantilla «nothing». Todas las plantillas están en la página «Plantillas».',
  ],
  ['en', '/videos/vid_none', "Video 'vid_none' not found. All videos are on the page 'Videos'."],
] as const)(
  'G4: a failed call says what to press, and names no request (%s, %s)',
  async (language, path, words) => {
    const person = await newPerson(web.browser, web.app.url, { language });
    await person.open(path);
    const banner = await person.page.waitForSelector('[role=alert]');
    expect(await banner?.evaluate(({ textContent }) => textContent)).toContain(words);
    await person.leave();
  },
);

test('every other caller reads the call to make', async () => {
  const [overRest, overWeb] = await Promise.all(
    [{}, { 'stallhand-client': 'web' }].map(async (headers) => {
      const { detail } = await (await fetch(`${web.app.url}/v1/templates/nothing`, { headers })).json();
      return detail;
    }),
  );
  expect([overRest, overWeb]).toEqual([
    "Template 'nothing' not found. List templates with GET /v1/templates.",
    "Template 'nothing' not found. All templates are on the page 'Templates'.",
  ]);
});
