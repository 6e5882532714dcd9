import { z } from 'zod';
import type { Warning } from '../../../language.ts';
import type { Data } from '../../schema.ts';
import type { ImportedTemplate } from '../imported-template.ts';
import { foreignVersion } from '../rewriting/rewriting.ts';
import { sendgridDialect, sendgridLegacyDialect } from '../rewriting/sendgrid-dialect.ts';
import { parseExport, readSample } from './parse-export.ts';

const Version = z.looseObject({
  id: z.string().optional(),
  name: z.string().default(''),
  active: z.union([z.number(), z.boolean()]).default(0),
  html_content: z.string().nullish(),
  plain_content: z.string().nullish(),
  subject: z.string().nullish(),
  test_data: z.string().nullish(),
  updated_at: z.string().optional(),
});
type Version = z.output<typeof Version>;

const Template = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  generation: z.string().optional(),
  /** SendGrid keeps at most 300. */
  versions: z.array(Version).max(300),
});
type Template = z.output<typeof Template>;

/** `GET /v3/templates/{id}`, or the list of `GET /v3/templates`. */
const Export = z.union([
  z.array(Template).transform((templates) => templates),
  z.looseObject({ result: z.array(Template) }).transform(({ result }) => result),
  z.looseObject({ templates: z.array(Template) }).transform(({ templates }) => templates),
  Template.transform((template) => [template]),
]);

export function readSendgrid(payload: unknown, where: string): Promise<ImportedTemplate[]> {
  return Array.fromAsync(parseExport(Export, payload, 'SendGrid', where).values().map(readTemplate));
}

async function readTemplate(template: Template): Promise<ImportedTemplate> {
  const { id, name } = template;
  const from = id ?? name;
  const filled = byDate(template.versions).filter(({ html_content: html }) => html);
  const dialect = isLegacy(template) ? sendgridLegacyDialect : sendgridDialect;
  const read = await Array.fromAsync(filled.values(), (version) => {
    const { html_content: html, plain_content: text, subject } = version;
    const content = { title: version.name, message: `Imported from SendGrid: ${version.name || name}` };
    return foreignVersion({ ...content, html: html ?? '', text, subject }, dialect);
  });
  const current = filled.findIndex(({ active }) => Boolean(active));
  const active = current < 0 ? filled.length - 1 : current;
  const sample = sampleOf(filled[active]);
  const empty = template.versions.filter(({ html_content: html }) => !html);
  const base = { from, key: name, name, kind: 'template', description: '', tags: [] } as const;
  return {
    ...base,
    versions: read.map(({ version }) => version),
    active,
    readFixtures: async () => (sample.data ? { sample: sample.data } : {}),
    notes: [
      ...(filled.length > 0
        ? empty.map((one): Warning => ({ key: 'import_no_content', params: { version: one.name } }))
        : []),
      ...(read[active]?.notes ?? []),
      ...sample.notes,
    ],
    problems:
      filled.length > 0 ? [] : [{ key: 'template_invalid.import_no_content', params: { from }, loc: [] }],
  };
}

/** Oldest first where every version says when it was changed, else as listed. */
function byDate(versions: readonly Version[]): readonly Version[] {
  if (versions.some(({ updated_at }) => updated_at === undefined)) return versions;
  return versions.toSorted((a, b) => ((a.updated_at ?? '') < (b.updated_at ?? '') ? -1 : 1));
}

function isLegacy({ id, generation, versions }: Template): boolean {
  if (generation !== undefined) return generation === 'legacy';
  return !id?.startsWith('d-') && !versions.some(({ html_content: html }) => html?.includes('{{'));
}

function sampleOf(version: Version | undefined): { data?: Data; notes: Warning[] } {
  const text = version?.test_data?.trim();
  if (!version || !text || text === '{}') return { notes: [] };
  const data = readSample(text);
  if (data) return { data, notes: [] };
  return { notes: [{ key: 'import_test_data', params: { version: version.name } }] };
}
