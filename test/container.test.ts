import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

test('the image asks its own port whether it is healthy, and collects dead processes', () => {
  const dockerfile = lines('Dockerfile').join('\n');
  expect(dockerfile).toMatch(/process\.env\.PORT\}\/health/);
  expect(dockerfile).toContain('ENTRYPOINT ["tini", "--"]');
});

test.each(['start', 'dev', 'mcp', 'billing', 'keys', 'migrate', 'backup', 'doctor'])(
  'npm run %s reads .env',
  (name) => {
    const { scripts } = JSON.parse(lines('package.json').join('\n'));
    expect(scripts[name]).toMatch(/^node --import=\.\/tools\/commands\/load-env-file\.ts /);
  },
);

test('settings of .env hold where the environment has none, and without the file nothing is said', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'env-file-'));
  const load = join(ROOT, 'tools/commands/load-env-file.ts');
  const print = 'console.log(process.env.PORT, process.env.HOST)';
  const start = () =>
    spawnSync(process.execPath, [`--import=${load}`, '-e', print], {
      cwd: folder,
      env: { HOST: '127.0.0.9' },
      encoding: 'utf8',
    });
  expect(start()).toMatchObject({ stdout: 'undefined 127.0.0.9\n', stderr: '' });
  await writeFile(join(folder, '.env'), 'PORT=9999\nHOST=0.0.0.0\n');
  expect(start()).toMatchObject({ stdout: '9999 127.0.0.9\n', stderr: '' });
  await rm(folder, { recursive: true });
});

test('the image has a font of Latin letters from Debian, and all others from the packages', () => {
  const installed = lines('Dockerfile')
    .join(' ')
    .match(/\bfonts-[\w-]+/g);
  expect(installed).toEqual(['fonts-liberation']);
  const { dependencies } = JSON.parse(lines('package.json').join('\n'));
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(FONT_PACKAGES.map(({ name }) => name)));
});
