import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { z } from 'zod';
import type { CompositionAsset } from './composition/composition.ts';

const FOLDER = join(import.meta.dirname, 'page');

let sources: ReadonlyMap<string, string> | undefined;

/** The engine's page code as JavaScript, by its path in the folder page, such as `capture/probe.ts`. */
export function readEngineFiles(): ReadonlyMap<string, string> {
  sources ??= new Map([
    ...codeFiles().map((path): [string, string] => [path.split(sep).join('/'), strip(path)]),
    ['mediabunny.js', readMediabunny()],
  ]);
  return sources;
}

function codeFiles(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort();
}

/** The library that reads clips, as one file for browsers. */
function readMediabunny(): string {
  const entry = createRequire(import.meta.url).resolve('mediabunny');
  return readFileSync(join(entry.slice(0, entry.lastIndexOf(`dist${sep}`)), MEDIABUNNY), 'utf8');
}

const MEDIABUNNY = join('dist', 'bundles', 'mediabunny.min.mjs');

function strip(path: string): string {
  return stripTypeScriptTypes(readFileSync(join(FOLDER, path), 'utf8'));
}

type ShippedFonts = {
  /** The `@font-face` rules of all families, with files at `fonts/<family>/<file>`. */
  readonly faces: string;
  /** Font files by path. */
  readonly files: ReadonlyMap<string, CompositionAsset>;
  /** Such as `inter 5.3.0, fraunces 5.3.0`. */
  readonly version: string;
};

// Only the weight axis: files with more axes are three times as large.
const STYLES = ['wght.css', 'wght-italic.css'];
const FAMILIES = ['inter', 'fraunces'];

let shipped: ShippedFonts | undefined;

/** The fonts that every video may use: 'Inter Variable' and 'Fraunces Variable'. Read once per process. */
export function shippedFonts(): ShippedFonts {
  shipped ??= readFonts();
  return shipped;
}

/** The `@font-face` rules of the shipped fonts; addresses are relative to the page: `fonts/<family>/<file>`. */
export function fontFaces(): string {
  return shippedFonts().faces;
}

function readFonts(): ShippedFonts {
  const families = FAMILIES.map(readFamily);
  return {
    faces: families.map(({ faces }) => faces).join('\n'),
    files: new Map(families.flatMap(({ files }) => files)),
    version: families.map(({ version }) => version).join(', '),
  };
}

function readFamily(family: string) {
  const manifest = createRequire(import.meta.url).resolve(`@fontsource-variable/${family}/package.json`);
  const folder = dirname(manifest);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8')));
  const css = STYLES.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const names = [...css.matchAll(/url\(\.\/files\/([\w-]+\.woff2)\)/g)].map(([, name = '']) => name);
  const files = names.map((name): [string, CompositionAsset] => [
    `fonts/${family}/${name}`,
    { bytes: readFileSync(join(folder, 'files', name)), mediaType: 'font/woff2' },
  ]);
  return { faces: css.replaceAll('./files/', `fonts/${family}/`), files, version: `${family} ${version}` };
}
