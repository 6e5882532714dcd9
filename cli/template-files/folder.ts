import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { stableJson } from '../../src/platform/stable-json.ts';
import { documentOfFiles, filesOfDocument } from '../../src/templates/bundle/bundle-format.ts';
import { type Document, TemplateKind, TemplateName } from '../../src/templates/schema.ts';
import { UsageError } from '../usage-error.ts';

/** A template as a folder has it. */
export type LocalTemplate = {
  readonly name: string;
  readonly note: Note;
  readonly document: Document;
};

/** `template.json`: what has no file of its own, and what the files were made from. */
const Note = z.strictObject({
  kind: TemplateKind.default('template'),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  /** Absent for a template that is not on the server yet. */
  branch: z.string().optional(),
  version: z.string().optional(),
  fields: z.record(z.string(), z.json()).default({}),
});
type Note = z.output<typeof Note>;

const NOTE = 'template.json';

/** Every file a template can have; those it does not have any more are deleted. */
const FILES = [
  'mail.html',
  'mail.mjml',
  'subject.txt',
  'preheader.txt',
  'mail.txt',
  'style.css',
  'schema.json',
];

/** Writes a template as `<folder>/<name>/`, each file as a whole. */
export async function writeTemplate(folder: string, { name, note, document }: LocalTemplate): Promise<void> {
  const target = join(folder, TemplateName.parse(name));
  await mkdir(target, { recursive: true });
  const { files, fields } = filesOfDocument(document);
  const written = new Map([...files, [NOTE, `${stableJson({ ...note, fields })}\n`] as const]);
  for (const [file, text] of written) await replaceFile(join(target, file), text);
  for (const file of FILES) if (!written.has(file)) await rm(join(target, file), { force: true });
}

/** Notes the version that the files of a template are equal to. */
export async function writeNote(folder: string, { name, note, document }: LocalTemplate): Promise<void> {
  const { fields } = filesOfDocument(document);
  await replaceFile(join(folder, name, NOTE), `${stableJson({ ...note, fields })}\n`);
}

/**
 * The templates of a folder, in the order of their names.
 * @throws UsageError for a folder or a template that cannot be read, naming the file
 */
export async function readTemplates(
  folder: string,
  { create = false } = {},
): Promise<readonly LocalTemplate[]> {
  if (create) await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new UsageError(
      `Cannot read the folder '${folder}'. Get your templates first: stallhand pull ${folder}`,
    );
  });
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  return Promise.all(names.sort().map((name) => readTemplate(folder, name)));
}

async function readTemplate(folder: string, name: string): Promise<LocalTemplate> {
  const parsed = TemplateName.safeParse(name);
  if (!parsed.success) throw new UsageError(`'${join(folder, name)}' is not a template's name.`);
  const files = new Map<string, string>();
  for (const file of [NOTE, ...FILES]) {
    const text = await readFile(join(folder, name, file), 'utf8').catch(() => undefined);
    if (text !== undefined) files.set(file, text);
  }
  try {
    const note = Note.parse(JSON.parse(files.get(NOTE) ?? '{}'));
    const format = files.has('mail.mjml') ? { format: 'mjml' } : {};
    const document = documentOfFiles({ ...note.fields, ...format }, (file) => files.get(file));
    if (document) return { name: parsed.data, note, document };
  } catch (error) {
    const cause =
      error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : error;
    throw new UsageError(`The template in '${join(folder, name)}' cannot be read: ${cause}`);
  }
  throw new UsageError(`'${join(folder, name)}' has no mail.html or mail.mjml.`);
}

async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`;
  await writeFile(part, text);
  await rename(part, path);
}
