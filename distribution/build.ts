import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { GUIDES } from '../tools/mcp/resources/guides.ts';
import { buildClient, isStale } from '../web/build/build-client.ts';

// Entry: `npm run build` writes dist/, the same tree in JavaScript, with the files that are read by their path.

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');
const PAGES = ['src/videos/page/', 'tools/mcp/apps/page/'];

await rm(DIST, { recursive: true, force: true });
await promisify(execFile)('tsc', ['-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  shell: process.platform === 'win32',
});
if (await isStale()) await buildClient();
const files = [
  ...['migrations', 'locales', 'views', 'prompts', 'content', 'web/dist'],
  ...GUIDES.map(({ file }) => `docs/${file}`),
  ...(await filesBeside('src')),
  ...(await filesBeside('tools')),
];
for (const file of files) {
  await mkdir(dirname(join(DIST, file)), { recursive: true });
  await cp(join(ROOT, file), join(DIST, file), { recursive: true });
}

/** What the product reads beside its code: data, and the modules that browsers get, whose types are stripped when read. */
async function filesBeside(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((path) => !path.endsWith('.ts') || isPageCode(path))
    .filter((path) => !/(\.md|\.as|tsconfig\.json)$/.test(path));
}

function isPageCode(path: string): boolean {
  const parts = path.split('\\').join('/');
  return PAGES.some((folder) => parts.startsWith(folder));
}
