import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { onceAsync } from '../../platform/once-async.ts';
import type { createCatalog } from '../catalog.ts';
import {
  Data,
  DataSchema,
  type Document,
  FixtureName,
  Metadata,
  TemplateKind,
  TemplateName,
} from '../schema.ts';

/** A template, layout or partial every new account starts with. */
export type Starter = {
  readonly name: string;
  readonly kind: TemplateKind;
  readonly description: string;
  readonly tags: string[];
  readonly document: Document;
  readonly fixtures: Record<string, Data>;
};

/** What `template.json` says beside the Handlebars files of a starter. */
const Manifest = Metadata.extend({
  kind: TemplateKind,
  layout: TemplateName.optional(),
  schema: DataSchema,
  fixtures: z.record(FixtureName, Data),
});
type Manifest = z.output<typeof Manifest>;

// A template is checked against the layout and partials it names, so those come first.
const NAMES = ['footer', 'shop-layout', 'welcome', 'receipt', 'password-reset', 'product-launch'] as const;

/** Reads the starters in an order in which each can be created after those before it. */
export async function readStarters(): Promise<Starter[]> {
  return Promise.all(NAMES.map(readStarter));
}

async function readStarter(name: string): Promise<Starter> {
  const manifest = Manifest.parse(JSON.parse(await readPart(name, 'template.json')));
  const { kind, description, tags, fixtures } = manifest;
  return { name, kind, description, tags, document: await readDocument(name, manifest), fixtures };
}

async function readDocument(name: string, { kind, layout, schema }: Manifest): Promise<Document> {
  const [html, text] = await Promise.all([readPart(name, 'html.hbs'), readPart(name, 'text.hbs')]);
  if (kind !== 'template') return { html, text, schema };
  const [subject, preheader] = await Promise.all([
    readLine(name, 'subject.hbs'),
    readLine(name, 'preheader.hbs'),
  ]);
  return { html, subject, preheader, text, schema, ...(layout !== undefined && { layout }) };
}

// Editors end a file with a line break, which is no part of a subject.
async function readLine(name: string, file: string): Promise<string> {
  return (await readPart(name, file)).trimEnd();
}

function readPart(name: string, file: string): Promise<string> {
  return readFile(new URL(`./${name}/${file}`, import.meta.url), 'utf8');
}

/** They change only with the product, so a new account need not read them again. */
const starters = onceAsync(readStarters);

/** Puts the starter templates into an account; those it has already stay as they are. */
export async function seedStarterTemplates(
  catalog: ReturnType<typeof createCatalog>,
  accountId: string,
): Promise<void> {
  for (const { document, ...starter } of await starters()) {
    await catalog
      .create({ accountId, actor: 'stallhand' }, { ...starter, ...document, message: 'Starter template' })
      .catch((error: unknown) => {
        if (!(error instanceof Fault && error.code === 'name_taken')) throw error;
      });
  }
}
