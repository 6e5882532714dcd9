import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { z } from 'zod';
import { contentTag } from '../../platform/content-tag.ts';
import type { CompositionAsset } from '../composition/composition.ts';
import { isObject } from './data-schema.ts';
import { Manifest, type VideoTemplate } from './video-template.ts';

export type BuiltIns = {
  /** Sorted by name. */
  readonly templates: readonly VideoTemplate[];
  /** Their files by path: `built-in/<template>/<file>`. */
  readonly files: ReadonlyMap<string, CompositionAsset>;
};

const FOLDER = new URL('./built-in/', import.meta.url);
/** What built-in templates have in common: `{{> motion.css}}` in their HTML is replaced by the file of that name. */
const PARTS = new URL('./parts/', import.meta.url);

const Common = z.record(z.string(), z.json());

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/x-m4a',
};

/** Reads the built-in templates: one folder each, with `template.html`, `template.json` and files. */
export async function readBuiltIns(folder: URL = FOLDER): Promise<BuiltIns> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  const parts = await readParts();
  const read = await Promise.all(names.map((name) => readOne(name, new URL(`${name}/`, folder), parts)));
  return {
    templates: read.map(({ template }) => template),
    files: new Map(read.flatMap(({ files }) => files)),
  };
}

type Parts = ReadonlyMap<string, string>;

async function readParts(): Promise<Parts> {
  const names = await readdir(PARTS);
  return new Map(
    await Promise.all(
      names.map(
        async (name): Promise<[string, string]> => [
          name,
          (await readFile(new URL(name, PARTS), 'utf8')).trimEnd(),
        ],
      ),
    ),
  );
}

function withParts(html: string, parts: Parts): string {
  return html.replace(/\{\{> ([\w.-]+)\}\}/g, (_, name) => withParts(parts.get(name) ?? '', parts));
}

/** Adds the fields that every built-in template takes. */
function withCommonFields(manifest: Manifest, parts: Parts): Manifest {
  const { schema } = manifest;
  const own = isObject(schema['properties']) ? schema['properties'] : {};
  const common = Common.parse(JSON.parse(parts.get('fields.json') ?? '{}'));
  return { ...manifest, schema: { ...schema, properties: { ...own, ...common } } };
}

async function readOne(name: string, folder: URL, parts: Parts) {
  const names = (await readdir(folder)).filter((file) => extname(file) in MEDIA_TYPES);
  const files = await Promise.all(
    names.map(async (file): Promise<[string, CompositionAsset]> => {
      const mediaType = MEDIA_TYPES[extname(file)] ?? '';
      return [`built-in/${name}/${file}`, { bytes: await readFile(new URL(file, folder)), mediaType }];
    }),
  );
  // Built-in templates name their files without the folder. With the full path, a copy of the template means the
  // same.
  const [html, json] = await Promise.all(
    ['template.html', 'template.json'].map(async (file) =>
      withPaths(await readFile(new URL(file, folder), 'utf8'), name, names),
    ),
  );
  const manifest = withCommonFields(Manifest.parse(JSON.parse(json ?? '')), parts);
  const template = { name, builtIn: true, html: withParts(html ?? '', parts), manifest };
  return { template: { ...template, version: null, tag: contentTag(template) }, files };
}

function withPaths(text: string, template: string, files: readonly string[]): string {
  return files.reduce(
    (done, file) =>
      done.replaceAll(
        new RegExp(`(?<=["'(\\s])${RegExp.escape(file)}(?=["')\\s])`, 'g'),
        `built-in/${template}/${file}`,
      ),
    text,
  );
}
