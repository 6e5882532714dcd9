import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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
