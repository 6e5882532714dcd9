import { z } from 'zod';
import type { Warning } from '../../../language.ts';
import type { ImportedSource, ImportedTemplate } from '../imported-template.ts';
import { titleOf } from '../page-title.ts';
import { parseExport, parseJson, readSample } from '../sources/parse-export.ts';
import { type OwnItem, readOwn } from '../sources/read-own.ts';
import { readPostmark } from '../sources/read-postmark.ts';
import { detectSource, readService, type Service } from '../sources/read-service.ts';
import { type Files, isLitter, textOf } from './archive.ts';
import { takePictures } from './take-pictures.ts';

const SOURCE = /^(.+)\.(html?|mjml|hbs)$/i;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

type Pictures = ReturnType<typeof takePictures>;

type Note = { readonly from: string; readonly warning: Warning };

/**
 * Makes templates of the files of an archive: the folder of Postmark's command line, services' returns as JSON, and `welcome.html` or `.mjml` with `welcome.subject.txt`, `welcome.txt` and sample data in
 * `welcome.json` beside it.
 */
export async function readFolder(files: Files, service: Service | undefined): Promise<ImportedSource> {
  const { top, inside } = withoutTop(new Map([...files].filter(([path]) => !isLitter(path))));
  const plain = new Map([...inside].map(([path, bytes]) => [path, withoutMark(bytes)]));
  const pictures = takePictures(plain);
  const postmark = await readPostmarkFolder(plain, pictures);
  const rest = new Map([...plain].filter(([path]) => !postmark.used.has(path)));
  // What stands beside a source is its sample data, whatever its fields look like.
  const stems = new Set([...rest.keys()].flatMap((path) => SOURCE.exec(path)?.[1] ?? []));
  const others = [...rest].filter(([path]) => !stems.has(path.replace(/\.json$/, '')));
  const exported = (
    await Array.fromAsync(others, ([path, bytes]) => readExport(path, bytes, service))
  ).flat();
  const exports = new Set(exported.map(({ path }) => path));
  const own = new Map([...rest].filter(([path]) => !exports.has(path)));
  const sources = readSources(own, pictures, top);
  return {
    importedTemplates: [
      ...postmark.importedTemplates,
      ...exported.map(({ imported }) => imported),
      ...sources.importedTemplates,
    ],
    notes: sources.notes.filter(({ from }) => !pictures.taken.has(from)),
    assets: [...pictures.taken.values()],
  };
}

/** A single folder around everything is no part of the templates' names, but for an `index.html` directly in it. */
function withoutTop(files: Files): { top: string; inside: Files } {
  const tops = new Set([...files.keys()].map((path) => path.slice(0, path.indexOf('/') + 1)));
  const [top = ''] = tops;
  if (tops.size !== 1 || top === '') return { top: '', inside: files };
  const inside = new Map([...files].map(([path, bytes]) => [path.slice(top.length), bytes]));
  return { top: top.slice(0, -1), inside };
}

/** Editors on Windows start a file in UTF-8 with a mark, which is no part of its text. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

async function readExport(path: string, bytes: Buffer, service: Service | undefined) {
  if (!path.endsWith('.json')) return [];
  const value = parseJson(textOf(bytes, path), path);
  const found = service ?? detectSource(value);
  if (!found) return [];
  return (await readService(found, value, path)).map((imported) => ({ path, imported }));
}

function readSources(
  files: Files,
  pictures: Pictures,
  top: string,
): {
  importedTemplates: ImportedSource['importedTemplates'];
  notes: Note[];
} {
  const used = new Set<string>();
  const text = (path: string) => {
    const bytes = files.get(path);
    if (!bytes) return undefined;
    used.add(path);
    return textOf(bytes, path);
  };
  const importedTemplates = [...files.keys()].flatMap((path) => {
    const [, stem = '', ending = ''] = SOURCE.exec(path) ?? [];
    if (stem === '') return [];
    const source = pictures.rewrite(text(path) ?? '', path);
    const item: OwnItem = {
      name: nameOf(stem, source, top),
      ...(ending.toLowerCase() === 'mjml' ? { mjml: source } : { html: source }),
      subject: text(`${stem}.subject.txt`)?.trimEnd() ?? '',
      text: text(`${stem}.txt`) ?? '',
    };
    const sample = sampleOf(text(`${stem}.json`), stem);
    return readOwn({ ...item, fixtures: sample.fixtures }, path).map((imported) => {
      return { ...imported, from: path, notes: sample.notes };
    });
  });
  const ignored = [...files.keys()].filter((path) => !used.has(path));
  return {
    importedTemplates,
    notes: ignored.map(
      (from): Note => ({ from, warning: { key: 'import_file_ignored', params: { file: from } } }),
    ),
  };
}

/** What a file's template is called. Pages called `index` are named after their folder, or else their title. */
function nameOf(stem: string, source: string, top: string): string {
  const parts = stem.split('/');
  if (parts.at(-1)?.toLowerCase() !== 'index') return parts.join('-');
  return parts.slice(0, -1).join('-') || top || titleOf(source) || stem;
}

function sampleOf(text: string | undefined, version: string) {
  if (text === undefined) return { fixtures: {}, notes: [] };
  const data = readSample(text);
  const unread: Warning = { key: 'import_test_data', params: { version } };
  return data ? { fixtures: { sample: data }, notes: [] } : { fixtures: {}, notes: [unread] };
}

/** `meta.json` beside `content.html` and `content.txt`, as `postmark templates pull` writes them (github.com/ActiveCampaign/postmark-cli). */
const Meta = z.looseObject({ Name: z.string(), Alias: z.string().nullish() });

/** The templates of such a folder, and the files they are made of. */
async function readPostmarkFolder(
  files: Files,
  pictures: Pictures,
): Promise<{ importedTemplates: ImportedTemplate[]; used: Set<string> }> {
  const used = new Set<string>();
  const importedTemplates = await Array.fromAsync(files, async ([path, bytes]) => {
    const folder = /^(.*\/)?meta\.json$/.exec(path) && path.slice(0, -'meta.json'.length);
    if (typeof folder !== 'string') return [];
    const html = files.get(`${folder}content.html`);
    const text = files.get(`${folder}content.txt`);
    if (!html && !text) return [];
    for (const file of ['meta.json', 'content.html', 'content.txt']) used.add(folder + file);
    const meta = parseExport(Meta, parseJson(textOf(bytes, path), path), 'Postmark', path);
    const bodies = {
      HtmlBody: html && pictures.rewrite(textOf(html, `${folder}content.html`), path),
      TextBody: text && textOf(text, `${folder}content.txt`),
    };
    const read = await readPostmark({ ...meta, ...bodies }, path);
    return read.map((imported) => ({ ...imported, from: path }));
  });
  return { importedTemplates: importedTemplates.flat(), used };
}
