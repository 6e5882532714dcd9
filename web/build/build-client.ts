import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientConfig, WEB_ROOT } from './client-config.ts';
import { compressFiles } from './compress.ts';
import { subsetFonts } from './fonts.ts';
import { drawSocialPictures } from './social/social-pictures.ts';
import { sourceHash } from './source-hash.ts';

export const CLIENT_FOLDER = join(WEB_ROOT, 'dist');

const STAMP = 'built-from';

/** Whether the built client is of other sources than those here, or absent. */
export async function isStale(): Promise<boolean> {
  const built = await readFile(join(CLIENT_FOLDER, STAMP), 'utf8').catch(() => undefined);
  return built !== (await sourceHash());
}

/** Builds the client beside the one that is there, then takes its place: a server never reads half of one. */
export async function buildClient(): Promise<void> {
  const hash = await sourceHash();
  // With another value, such as that of a test, Vite builds what one develops with: half as large again.
  // biome-ignore lint/style/noProcessEnv: this is how Vite is told
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  const folder = await mkdtemp(join(WEB_ROOT, 'dist-'));
  try {
    await subsetFonts();
    await build(clientConfig(folder));
    await drawSocialPictures(folder);
    await compressFiles(folder);
    await writeFile(join(folder, STAMP), hash);
    await rm(CLIENT_FOLDER, { recursive: true, force: true });
    await rename(folder, CLIENT_FOLDER);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
