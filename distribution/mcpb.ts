import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { rolldown } from 'rolldown';
import { z } from 'zod';
import { version } from '../src/version.ts';
import { connectManifest, localManifest } from './manifests.ts';
import { serverJson } from './server-json.ts';

// Entry: `npm run mcpb [folder]` writes both bundles for desktop clients, and server.json with the hash of one of them.
// The local bundle takes dist/, which `npm run build` writes.

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional() }),
  ),
});

const folder = resolve(process.argv[2] ?? join(ROOT, 'bundles'));

await mkdir(folder, { recursive: true });
const connect = await pack(connectManifest, fillConnect);
await pack(localManifest, fillLocal);
const sha256 = createHash('sha256')
  .update(await readFile(join(folder, connect)))
  .digest('hex');
await writeFile(join(folder, 'server.json'), serverJson({ file: connect, sha256 }));

type Manifest = typeof connectManifest | typeof localManifest;

/** @returns the name of the file */
async function pack(manifest: Manifest, fill: (stage: string) => Promise<void>): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'stallhand-mcpb-'));
  try {
    await fill(stage);
    await writeFile(join(stage, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const file = `${manifest.name}-${version}.mcpb`;
    const packed = await packExtension({
      extensionPath: stage,
      outputPath: join(folder, file),
      silent: true,
    });
    if (!packed) throw new Error(`${file} cannot be packed: run mcpb validate on its manifest`);
    const { size } = await stat(join(folder, file));
    process.stdout.write(`${file}  ${(size / 2 ** 20).toFixed(1)} MiB\n`);
    return file;
  } finally {
    await rm(stage, { recursive: true });
  }
}

/** One file: the bridge with what it imports. */
async function fillConnect(stage: string): Promise<void> {
  const build = await rolldown({ input: join(ROOT, 'distribution/connect.ts'), platform: 'node' });
  await build.write({ file: join(stage, 'connect.js'), format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  await writeFile(join(stage, 'package.json'), JSON.stringify({ type: 'module' }));
}

/** The package with what it needs in production. The browser for Linux stays out: desktops have one. */
async function fillLocal(stage: string): Promise<void> {
  for (const part of ['bin', 'dist', 'package.json']) {
    await cp(join(ROOT, part), join(stage, part), { recursive: true });
  }
  const lock = Lock.parse(JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')));
  const needed = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path]) => path)
    .filter((path) => path !== 'node_modules/@sparticuz/chromium');
  for (const path of needed) await copyPackage(path, stage);
}

/** Without its own node_modules, whose packages are listed one by one, and without what only its authors read. */
async function copyPackage(path: string, stage: string): Promise<void> {
  const from = join(ROOT, path);
  // A package for another system is not installed.
  if (!(await stat(from).catch(() => undefined))) return;
  await cp(from, join(stage, path), {
    recursive: true,
    filter: (file) => {
      const inside = relative(from, file).split(sep);
      return !inside.includes('node_modules') && !/\.(map|md|markdown|d\.[cm]?ts|tsbuildinfo)$/.test(file);
    },
  });
}
