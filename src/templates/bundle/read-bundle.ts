import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { Fault } from '../../errors.ts';
import { newId } from '../../platform/ids.ts';
import { brokenBound } from '../../platform/json-size.ts';
import { textOf } from '../importing/archive/archive.ts';
import { MANIFEST } from '../importing/archive/limits.ts';
import type { ImportedTemplate, ImportedVersion } from '../importing/imported-template.ts';
import { parseJson } from '../importing/sources/parse-export.ts';
import { Data, DEFAULT_BRANCH, type Document, LIMITS } from '../schema.ts';
import { hashDocument } from '../versions/document.ts';
import {
  BundledTemplate,
  type BundledVersion,
  brokenLink,
  documentOfFiles,
  fixtureFile,
  folderOf,
  Manifest,
  TEMPLATE_FILE,
  VERSION_FILES,
} from './bundle-format.ts';

/** The bytes of a file of the bundle; undefined for one that it does not have. */
export type ReadFile = (path: string) => Promise<Buffer | undefined>;

/** Characters of the contents kept in memory; layouts and partials are read again and again. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

/**
 * The templates of a bundle with their whole history. Every file is read and checked once; contents and samples are read
 * again when they are needed, so that a bundle of any size takes little memory.
 * @throws Fault validation_failed for one that does not fit together
 */
export async function readBundle(read: ReadFile, signal: AbortSignal): Promise<ImportedTemplate[]> {
  const { readText, readDocument } = createReader(read);
  const manifest = parse(Manifest, await json(MANIFEST), MANIFEST);
  const templates: ImportedTemplate[] = [];
  const names = new Set<string>();
  for (const listed of manifest.templates) {
    signal.throwIfAborted();
    const template = typeof listed === 'string' ? await templateOf(listed) : listed;
    if (names.has(template.name)) throw broken(MANIFEST, 'two templates have one name');
    names.add(template.name);
    templates.push(await readTemplate(template));
  }
  return templates;

  async function templateOf(name: string): Promise<BundledTemplate> {
    const path = `${folderOf(name)}/${TEMPLATE_FILE}`;
    const template = parse(BundledTemplate, await json(path), path);
    if (template.name !== name) throw broken(path, `it is of ${template.name}`);
    return template;
  }

  async function readTemplate(template: BundledTemplate): Promise<ImportedTemplate> {
    const { name, kind, description, tags, fixtures, ...history } = template;
    const wrong = brokenLink(history);
    if (wrong) throw broken(name, wrong);
    const main = history.branches.find((branch) => branch.name === DEFAULT_BRANCH)?.head;
    const readFixtures = async () => {
      const samples: [string, Data][] = [];
      for (const fixture of fixtures) samples.push([fixture, await readFixture(name, fixture)]);
      return Object.fromEntries(samples);
    };
    await readFixtures();
    const versions: ImportedVersion[] = [];
    for (const version of history.versions) versions.push(await readVersion(name, version));
    return {
      from: folderOf(name),
      key: name,
      name,
      kind,
      description,
      tags,
      versions,
      active: history.versions.findIndex(({ label }) => label === main),
      readFixtures,
      notes: [],
      problems: [],
      history,
    };
  }

  async function readVersion(name: string, version: BundledVersion): Promise<ImportedVersion> {
    const readIt = () => readDocument(name, version);
    await readIt();
    const { label: title, message } = version;
    return { id: newId('ver'), title, read: readIt, message, placeBefore: {} };
  }

  async function readFixture(name: string, fixture: string): Promise<Data> {
    const path = fixtureFile(name, fixture);
    const value = await json(path);
    const data = Data.safeParse(value);
    if (!data.success || brokenBound(value, LIMITS.data))
      throw broken(path, 'no sample data, or too much of it');
    return data.data;
  }

  async function json(path: string): Promise<unknown> {
    const text = await readText(path);
    if (text === undefined) throw broken(path, 'the file is missing');
    return parseJson(text, path);
  }
}

function createReader(read: ReadFile) {
  const kept = new LRUCache<string, Document>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ html, text = '', css = '' }) => html.length + text.length + css.length + 1,
  });

  async function readText(path: string): Promise<string | undefined> {
    const bytes = await read(path);
    return bytes && textOf(bytes, path);
  }

  async function readDocument(name: string, version: BundledVersion): Promise<Document> {
    const folder = `${folderOf(name)}/${version.folder}`;
    const key = `${folder} ${version.sha256}`;
    const found = kept.get(key);
    if (found) return found;
    const texts = new Map<string, string | undefined>();
    for (const file of VERSION_FILES) texts.set(file, await readText(`${folder}/${file}`));
    const document = documentOf(version.fields, texts);
    if (!document) throw broken(folder, 'a file is missing or no part of a template');
    if (hashDocument(document) !== version.sha256)
      throw broken(folder, 'the content is not the one of its sha256');
    kept.set(key, document);
    return document;
  }

  return { readText, readDocument };
}

function documentOf(
  fields: Record<string, unknown>,
  texts: ReadonlyMap<string, string | undefined>,
): Document | undefined {
  try {
    return documentOfFiles(fields, (file) => texts.get(file));
  } catch (error) {
    if (error instanceof Fault) throw error;
    return undefined;
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw broken([path, ...(issue?.path ?? []).map(String)].join(' '), issue?.message ?? '');
}

function broken(where: string, reason: string): Fault {
  return new Fault('validation_failed.bundle', { where, reason });
}
