import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FONT_PACKAGES } from '../src/platform/browser/fallback-fonts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const lines = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n');

test('everything the Dockerfile copies from the repository is in the build context', () => {
  const copied = lines('Dockerfile')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  const context = lines('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((path) => !context.includes(path))).toEqual([]);
});

test('the image has a font of Latin letters from Debian, and all others from the packages', () => {
  const installed = lines('Dockerfile')
    .join(' ')
    .match(/\bfonts-[\w-]+/g);
  expect(installed).toEqual(['fonts-liberation']);
  const { dependencies } = JSON.parse(lines('package.json').join('\n'));
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(FONT_PACKAGES.map(({ name }) => name)));
});
