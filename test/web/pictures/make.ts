import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder, startProcess } from '../../faults/server-process.ts';
import { setup as buildClient } from '../e2e/build-first.ts';
import { newPerson, openBrowser, type Sight } from '../e2e/person.ts';
import { fillShop, type Shop } from './shop.ts';

// `npm run pictures` takes the pictures of docs/pictures: sixteen pages, in light and dark, on a desk and on a phone.

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));

const pagesOf = ({ plan, run, video }: Shop) => ({
  today: '/dashboard',
  templates: '/templates',
  editor: '/templates/spring%20sale',
  changes: '/templates/spring%20sale/diff?from=production&to=main',
  environments: '/templates/spring%20sale/environments',
  videos: '/videos',
  'new-video': '/videos/new?template=product',
  video: `/videos/${video}`,
  generator: '/generator?topic=glazing%20a%20mug',
  history: '/history',
  sync: '/mapping',
  plan: `/runs/plan/${plan}`,
  run: `/runs/${run}`,
  assets: '/assets',
  brand: '/brand',
  billing: '/billing',
});

const SIGHTS: readonly Required<Pick<Sight, 'theme' | 'width'>>[] = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 1440 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
];

await buildClient();
const folder = await newFolder();
const server = await startProcess(join(folder.path, 'data'), {
  SYNC_DEMO: 'true',
  ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
});
const browser = await openBrowser();
try {
  const pages = Object.entries(pagesOf(await fillShop(server.url)));
  await mkdir(FOLDER, { recursive: true });
  for (const sight of SIGHTS) {
    const person = await newPerson(browser, server.url, sight);
    for (const [name, path] of pages) {
      await person.open(path);
      const bytes = await person.page.screenshot({ type: 'webp', quality: 70 });
      const file = `${name}-${sight.theme}-${sight.width < 600 ? 'phone' : 'desk'}.webp`;
      await writeFile(join(FOLDER, file), bytes);
      process.stdout.write(`${file} ${Math.round(bytes.length / 1024)} KB\n`);
    }
    await person.leave();
  }
} finally {
  await browser.close();
  await server.terminate();
  await folder.remove();
}
