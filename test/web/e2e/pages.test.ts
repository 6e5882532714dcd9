import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults, cutBoxes } from '../../support/look.ts';
import { newPerson, type Sight } from './person.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();

beforeAll(async () => {
  const { id } = await web.app.accounts.local();
  // A version that is on its way, and a branch that changed the same: pages that show them have something to show.
  const ana = { accountId: id, actor: 'Ana', approver: 'Ana' };
  const subjects = { main: 'Good to see you, {{name}}', holiday: 'Happy holidays, {{name}}' };
  await web.app.templates.branches.create(ana, 'welcome', { name: 'holiday', from: 'main', description: '' });
  for (const [branch, subject] of Object.entries(subjects)) {
    await web.app.templates.updating.update(ana, 'welcome', {
      change: { subject },
      branch,
      message: 'A warmer subject',
      bump: 'auto',
    });
  }
  // A template of the account's own, with a version to go back to.
  const own = { html: '<div id="stage"><h1>{{title}}</h1></div>', manifest: { title: 'Parcel' } };
  for (const html of [own.html, `<!-- ours -->\n${own.html}`]) {
    await web.send('PUT', '/video-templates/parcel', { ...own, html });
  }
  const mark = new URL('../../../web/public/mark.svg', import.meta.url);
  const stored = await fetch(`${web.app.url}/v1/assets/images/mark.svg`, {
    method: 'PUT',
    body: await readFile(mark),
  });
  expect(stored.status).toBe(201);
});

const PAGES = [
  ['Today', '/dashboard'],
  ['the templates', '/templates'],
  ['the form of a new template', '/templates?new=1'],
  ['a search without a hit', '/templates?q=nothing-like-this'],
  ['the editor', '/templates/welcome'],
  ['the editor in the dark, as plain text', '/templates/welcome?dark=1&width=text'],
  ['the preview on a phone', '/templates/welcome?pane=preview'],
  ['the versions on a phone', '/templates/welcome?pane=versions'],
  ['the changes', '/templates/welcome/diff?from=production&to=main'],
  ['the changes as pictures', '/templates/welcome/diff?from=production&to=main&view=both'],
  ['the changes under a slider', '/templates/welcome/diff?from=production&to=main&view=slider'],
  ['a merge with conflicts', '/templates/welcome/merge?branch=holiday'],
  ['a merge of nothing', '/templates/receipt/merge'],
  ['the environments', '/templates/welcome/environments'],
  ['the generator', '/generator?topic=glazing%20a%20mug'],
  ['the history', '/history'],
  ['a search of the history without a hit', '/history?q=nothing-like-this'],
  ['the usage', '/usage'],
  ['the billing', '/billing'],
  ['the profile', '/profile'],
  ['the people', '/settings/people'],
  ['the account', '/settings/account'],
  ['a wall without videos', '/videos'],
  ['the form of a new video', '/videos/new?template=listicle'],
  ['the video templates', '/videos/templates'],
  ['the form of a new video template', '/videos/templates?new=1&from=product'],
  ['a built-in video template', '/videos/templates/hook'],
  ['the editor of a video template', '/videos/templates/parcel'],
  ['the schema of a video template', '/videos/templates/parcel?part=schema'],
  ['the details of a video template', '/videos/templates/parcel?part=details'],
  ['the preview of a video template on a phone', '/videos/templates/parcel?pane=preview'],
  ['the versions of a video template on a phone', '/videos/templates/parcel?pane=versions'],
  ['the changes of a video template', '/videos/templates/parcel?version=1'],
  ['the assets', '/assets'],
  ['the assets as a list', '/assets?view=list'],
  ['an asset', '/assets?asset=images/mark.svg'],
  ['the brand', '/brand'],
  ['the form that reads a site', '/brand?import=1'],
  ['the docs', '/docs'],
  ['the design rules', '/rules'],
  ['a page that is not there', '/no-such-page'],
] as const;

const SIGHTS: readonly Required<Sight>[] = [
  { theme: 'dark', language: 'en', width: 1440 },
  { theme: 'light', language: 'es', width: 1440 },
  { theme: 'dark', language: 'es', width: 390 },
  { theme: 'light', language: 'en', width: 360 },
];

describe.each(PAGES)('%s', (_name, path) => {
  test.each(SIGHTS)(
    'is accessible, whole and without complaints: $theme, $language, $width px',
    async (sight) => {
      const person = await newPerson(web.browser, web.app.url, sight);
      await person.open(path);
      // A page that is not there is answered with 404, which the browser reports.
      const complaints = person.complaints.filter(
        (one) => !(path === '/no-such-page' && one.includes('404')),
      );
      expect({
        complaints,
        accessibility: await accessibilityFaults(person.page),
        cut: await cutBoxes(person.page),
        language: await person.page.$eval('html', ({ lang }) => lang),
      }).toEqual({ complaints: [], accessibility: [], cut: [], language: sight.language });
      await person.leave();
    },
  );
});
