import { z } from 'zod';
import { newId } from '../../../platform/ids.ts';
import { brokenBound } from '../../../platform/json-size.ts';
import { Data, FixtureName, LIMITS, TemplateKind } from '../../schema.ts';
import { changeDocument, type DocumentChange } from '../../versions/document.ts';
import type { ImportedTemplate } from '../imported-template.ts';
import { titleOf } from '../page-title.ts';
import { parseExport } from './parse-export.ts';

const Item = z
  .strictObject({
    name: z.string().optional(),
    html: z.string().optional(),
    mjml: z.string().optional(),
    subject: z.string().optional(),
    preheader: z.string().optional(),
    text: z.string().optional(),
    kind: TemplateKind.default('template'),
    layout: z.string().optional(),
    fixtures: z
      .record(
        FixtureName,
        Data.refine((data) => !brokenBound(data, LIMITS.data)),
      )
      .default({}),
  })
  .refine(({ html, mjml }) => (html === undefined) !== (mjml === undefined), { message: 'html or mjml' });
export type OwnItem = z.input<typeof Item>;

const Export = z.union([z.array(Item), Item.transform((item) => [item])]);

/** HTML or MJML in our own syntax: a text, or `{name, html | mjml, subject?, text?}`, one or several. */
export function readOwn(payload: unknown, where: string): ImportedTemplate[] {
  const value = typeof payload === 'string' ? itemOf(payload) : payload;
  return parseExport(Export, value, 'html', where).map(readItem);
}

/** Whether a text is MJML: comments and an XML declaration may come first. */
export function isMjml(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]{0,2000}?-->\s*)*<mjml[\s>]/i.test(text.slice(0, 10_000));
}

function itemOf(text: string): OwnItem {
  return isMjml(text) ? { mjml: text } : { html: text };
}

function readItem(item: z.output<typeof Item>): ImportedTemplate {
  const { html, mjml, subject, preheader, text, layout, kind, fixtures } = item;
  const name = item.name ?? titleOf(mjml ?? html ?? '') ?? 'template';
  const fields: DocumentChange = { html: mjml ?? html ?? '', subject, preheader, text, layout };
  const document = changeDocument(undefined, mjml === undefined ? fields : { ...fields, ...MJML });
  const version = {
    id: newId('ver'),
    title: name,
    message: 'Imported',
    read: async () => document,
    placeBefore: {},
  };
  const base = { from: name, key: name, name, kind, description: '', tags: [], active: 0 };
  return { ...base, versions: [version], readFixtures: async () => fixtures, notes: [], problems: [] };
}

const MJML = { format: 'mjml' } as const;
