import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CLIENT_FOLDER } from '../../../web/build/build-client.ts';

type Chunk = {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
};

const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(join(CLIENT_FOLDER, '.vite/manifest.json'), 'utf8'),
);

/** Every file that is downloaded before a chunk runs. */
function filesOf(key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const sheet of chunk.css ?? []) found.add(sheet);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

function kilobytes(files: Iterable<string>, ending: string): number {
  const sizes = [...files]
    .filter((file) => file.endsWith(ending))
    .map((file) => gzipSync(readFileSync(join(CLIENT_FOLDER, file)), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** What a page of the server names, and everything that this imports. */
function startOf(page: 'index.html' | 'public.html'): Set<string> {
  const html = readFileSync(join(CLIENT_FOLDER, page), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/(web\/[^"]+)"/g)].map(([, file = '']) => file);
  const keys = Object.keys(manifest).filter((key) => named.includes(manifest[key]?.file ?? ''));
  return new Set([...named, ...keys.flatMap((key) => [...filesOf(key)])]);
}

const entry = startOf('index.html');
/** With the parts that most pages share, which the server names in every page. */
const first = new Set([...entry, ...sharedFiles()]);
/** A person downloads the texts of one language; these are the longer ones. */
const texts = filesOf('../locales/web/es.json');

function sharedFiles(): string[] {
  const shared = Object.keys(manifest).filter((key) => key.startsWith('_common-'));
  expect(shared).toHaveLength(1);
  return shared.flatMap((key) => [...filesOf(key)]);
}

/** What a page adds to what every page has. */
function own(source: string, ending: string): number {
  return kilobytes(
    [...filesOf(source)].filter((file) => !first.has(file)),
    ending,
  );
}

test('the first download is at most 140 KB of scripts and 16 KB of styles, compressed', () => {
  const scripts = kilobytes(new Set([...first, ...texts]), '.js');
  const styles = kilobytes(first, '.css');
  console.log(`entry: ${scripts.toFixed(1)} KB of scripts, ${styles.toFixed(1)} KB of styles`);
  expect(scripts).toBeLessThanOrEqual(140);
  expect(styles).toBeLessThanOrEqual(16);
});

test('a page starts with one file of scripts and the loader, so that a phone waits once', () => {
  expect(
    [...entry].filter((file) => file.endsWith('.js')).map((file) => file.replace(/-.{8}\.js$/, '')),
  ).toEqual(['web/rolldown-runtime', 'web/start']);
});

test.each([
  ['src/pages/today/today.tsx', 6],
  ['src/pages/templates/editor.tsx', 11],
])('%s and its texts are at most %i files: a phone asks for six at a time', (source, limit) => {
  const files = new Set([...entry, ...filesOf(source), ...texts]);
  expect([...files].filter((file) => /\.(js|css)$/.test(file)).length).toBeLessThanOrEqual(limit);
});

test('P7: a page for visitors brings at most 3 KB of scripts', () => {
  expect(kilobytes(startOf('public.html'), '.js')).toBeLessThanOrEqual(3);
});

test.each([
  ['src/pages/today/today.tsx', 12],
  ['src/pages/missing.tsx', 12],
  ['src/pages/rules/rules.tsx', 12],
  ['src/pages/sign-in/sign-in.tsx', 18],
  ['src/pages/docs/docs.tsx', 12],
  ['src/pages/hooks/generator.tsx', 19],
  ['src/pages/hooks/history.tsx', 12],
  ['src/pages/hooks/usage.tsx', 12],
  ['src/pages/billing/billing.tsx', 18],
  ['src/pages/profile/profile.tsx', 25],
  ['src/pages/settings/people.tsx', 25],
  ['src/pages/settings/account.tsx', 25],
  ['src/pages/templates/list.tsx', 25],
  ['src/pages/templates/environments.tsx', 25],
  ['src/pages/templates/editor.tsx', 25],
  ['src/pages/templates/difference.tsx', 25],
  ['src/pages/templates/visual-difference.tsx', 18],
  ['src/pages/templates/merge.tsx', 18],
  ['src/pages/sync/stores.tsx', 15],
  ['src/pages/sync/sheets.tsx', 15],
  ['src/pages/sync/mappings.tsx', 12],
  ['src/pages/sync/mapping-dialog.tsx', 36],
  ['src/pages/sync/delete-dialog.tsx', 18],
  ['src/pages/sync/location-dialog.tsx', 24],
  ['src/pages/sync/plan.tsx', 20],
  ['src/pages/sync/run.tsx', 21],
  ['src/pages/sync/runs.tsx', 12],
  ['src/pages/videos/gallery.tsx', 12],
  ['src/pages/videos/new-video.tsx', 19],
  ['src/pages/videos/templates.tsx', 12],
  ['src/pages/videos/template/template-page.tsx', 25],
  ['src/pages/videos/video.tsx', 12],
  ['src/pages/assets/assets.tsx', 20],
  ['src/pages/brand/brand.tsx', 18],
  // With the dialog it opens in, which pages bring only when they open one.
  ['src/shell/palette.tsx', 28],
  ['src/ui/code/code-editor.tsx', 200],
  ['src/ui/code/code-merge.tsx', 200],
])('%s adds at most %i KB of scripts', (source, limit) => {
  expect(Object.keys(manifest)).toContain(source);
  const size = own(source, '.js');
  console.log(`${source}: ${size.toFixed(1)} KB of scripts, ${own(source, '.css').toFixed(1)} KB of styles`);
  expect(size).toBeLessThanOrEqual(limit);
});

test('the editor with everything that a desk loads with it is at most 200 KB of scripts, and so are the changes', () => {
  const whole = (...sources: readonly string[]) => {
    expect(Object.keys(manifest)).toEqual(expect.arrayContaining([...sources]));
    const files = new Set(sources.flatMap((source) => [...filesOf(source)]));
    return kilobytes(
      [...files].filter((file) => !first.has(file)),
      '.js',
    );
  };
  // A phone loads the versions only when it shows them.
  const editor = whole(
    'src/pages/templates/editor.tsx',
    'src/ui/code/code-editor.tsx',
    'src/pages/templates/variables-table.tsx',
    'src/pages/templates/version-rail.tsx',
  );
  const videos = whole('src/pages/videos/template/template-page.tsx', 'src/ui/code/code-editor.tsx');
  const changes = whole('src/pages/templates/difference.tsx', 'src/ui/code/code-merge.tsx');
  console.log(
    `editor: ${editor.toFixed(1)} KB, of videos: ${videos.toFixed(1)} KB, changes: ${changes.toFixed(1)} KB of scripts`,
  );
  expect(Math.max(editor, videos, changes)).toBeLessThanOrEqual(200);
});

test('no page but those of the editor downloads the editor', () => {
  const pages = Object.keys(manifest).filter((key) => key.startsWith('src/pages/'));
  const editors = ['src/ui/code/code-editor.tsx', 'src/ui/code/code-merge.tsx'].map(
    (key) => manifest[key]?.file,
  );
  expect(pages.filter((page) => [...filesOf(page)].some((file) => editors.includes(file)))).toEqual([]);
});

test('our own letters are at most 70 KB', () => {
  const fonts = readdirSync(join(CLIENT_FOLDER, 'web')).filter((file) =>
    /^(inter|fraunces|geist-mono)-(?!latin-ext).*\.woff2$/.test(file),
  );
  const size = fonts.reduce((sum, file) => sum + statSync(join(CLIENT_FOLDER, 'web', file)).size, 0) / 1024;
  expect(fonts).toHaveLength(3);
  expect(size).toBeLessThanOrEqual(70);
});
