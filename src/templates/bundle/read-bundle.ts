import { Fault } from '../../errors.ts';
import { newId } from '../../platform/ids.ts';
import { brokenBound } from '../../platform/json-size.ts';
import { type Files, MANIFEST, textOf } from '../importing/archive/read-archive.ts';
import type { ImportedTemplate, ImportedVersion } from '../importing/imported-template.ts';
import { parseJson } from '../importing/sources/parse-export.ts';
import { Data, DEFAULT_BRANCH, type Document, LIMITS } from '../schema.ts';
import { hashDocument } from '../versions/document.ts';
import { type BundledTemplate, brokenLink, documentOfFiles, Manifest } from './bundle-format.ts';

/** The templates of a bundle with their whole history. @throws Fault validation_failed for one that does not fit together */
export function readBundle(files: Files): ImportedTemplate[] {
  const parsed = Manifest.safeParse(json(files, MANIFEST));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw broken((issue?.path ?? []).map(String).join('.') || MANIFEST, issue?.message ?? '');
  }
  const { templates } = parsed.data;
  const names = new Set(templates.map(({ name }) => name));
  if (names.size < templates.length) throw broken(MANIFEST, 'two templates have one name');
  return templates.map((template) => readTemplate(files, template));
}

function readTemplate(files: Files, template: BundledTemplate): ImportedTemplate {
  const { name, kind, description, tags, fixtures, ...history } = template;
  const wrong = brokenLink(history);
  if (wrong) throw broken(name, wrong);
  const main = history.branches.find((branch) => branch.name === DEFAULT_BRANCH)?.head;
  const samples = fixtures.map((fixture) => [fixture, readFixture(files, name, fixture)] as const);
  return {
    from: `templates/${name}`,
    key: name,
    name,
    kind,
    description,
    tags,
    versions: history.versions.map((version) => readVersion(files, name, version)),
    active: history.versions.findIndex(({ label }) => label === main),
    fixtures: Object.fromEntries(samples),
    notes: [],
    problems: [],
    history,
  };
}

function readVersion(
  files: Files,
  name: string,
  version: BundledTemplate['versions'][number],
): ImportedVersion {
  const folder = `templates/${name}/${version.folder}`;
  const document = readDocument(files, folder, version.fields);
  if (!document) throw broken(folder, 'a file is missing or no part of a template');
  if (hashDocument(document) !== version.sha256)
    throw broken(folder, 'the content is not the one of its sha256');
  return { id: newId('ver'), title: version.label, document, message: version.message, placeBefore: {} };
}

function readDocument(files: Files, folder: string, fields: Record<string, unknown>): Document | undefined {
  try {
    return documentOfFiles(fields, (file) => {
      const bytes = files.get(`${folder}/${file}`);
      return bytes && textOf(bytes, `${folder}/${file}`);
    });
  } catch (error) {
    if (error instanceof Fault) throw error;
    return undefined;
  }
}

function readFixture(files: Files, name: string, fixture: string): Data {
  const path = `templates/${name}/fixtures/${fixture}.json`;
  const value = json(files, path);
  const data = Data.safeParse(value);
  if (!data.success || brokenBound(value, LIMITS.data))
    throw broken(path, 'no sample data, or too much of it');
  return data.data;
}

function json(files: Files, path: string): unknown {
  const bytes = files.get(path);
  if (!bytes) throw broken(path, 'the file is missing');
  return parseJson(textOf(bytes, path), path);
}

function broken(where: string, reason: string): Fault {
  return new Fault('validation_failed.bundle', { where, reason });
}
