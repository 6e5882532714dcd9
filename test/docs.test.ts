import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...pagesUnder('docs'),
  ...pagesUnder('src'),
];

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  test('names only files and folders that exist', () => {
    const named = [...text.matchAll(/`((?:src|tools|http|test|docs|bench|migrations|locales)\/[\w./-]*)`/g)];
    const paths = named.map(([, path = '']) => path).filter((path) => !path.includes('*'));
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('links only to pages that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    const own = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(own.filter((link) => !existsSync(resolve(ROOT, dirname(page), link)))).toEqual([]);
  });
});

test.each([
  ['README.md', 150],
  ['docs/architecture.md', 120],
  ['AGENTS.md', 40],
])('%s has at most %d lines', (page, most) => {
  expect(readFileSync(join(ROOT, page), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(most);
});

function pagesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}
