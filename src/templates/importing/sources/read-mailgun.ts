import { z } from 'zod';
import type { FaultDetail } from '../../../errors.ts';
import type { Warning } from '../../../language.ts';
import type { ImportedTemplate } from '../imported-template.ts';
import { type Dialect, foreignVersion } from '../rewriting/rewriting.ts';
import { parseExport } from './parse-export.ts';

const Version = z.looseObject({
  tag: z.string().default(''),
  template: z.string().nullish(),
  engine: z.string().default('handlebars'),
  comment: z.string().nullish(),
  active: z.boolean().default(false),
  createdAt: z.string().optional(),
  headers: z.record(z.string(), z.unknown()).nullish(),
});
type Version = z.output<typeof Version>;

const Template = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  version: Version.optional(),
  /** Mailgun keeps at most 40. */
  versions: z.array(Version).max(300).optional(),
});
type Template = z.output<typeof Template>;

const Wrapped = z.looseObject({ template: Template }).transform(({ template }) => template);

/** `GET /v3/{domain}/templates/{name}?active=yes`, several of them, or the list of its versions with their texts. */
const Export = z.union([
  z.array(z.union([Wrapped, Template])),
  z.looseObject({ items: z.array(Template) }).transform(({ items }) => items),
  Wrapped.transform((template) => [template]),
  Template.transform((template) => [template]),
]);

export function readMailgun(payload: unknown, where: string): Promise<ImportedTemplate[]> {
  return Array.fromAsync(parseExport(Export, payload, 'Mailgun', where).values().map(readTemplate));
}

async function readTemplate({
  name,
  description,
  version,
  versions = [],
}: Template): Promise<ImportedTemplate> {
  const all = byDate(versions.length > 0 ? versions : version ? [version] : []);
  const filled = all.filter(({ template, engine }) => template && engine === 'handlebars');
  const read = await Array.fromAsync(filled.values(), (one) => readVersion(name, one));
  const current = all.find((one) => one.active) ?? all.at(-1);
  const active = current ? filled.indexOf(current) : -1;
  const left = all.filter((one) => !filled.includes(one));
  return {
    from: name,
    key: name,
    name,
    kind: 'template',
    description: description?.slice(0, 1000).toWellFormed() ?? '',
    tags: [],
    versions: read.map((one) => one.version),
    active: Math.max(active, 0),
    readFixtures: async () => ({}),
    notes: [...left.map(noteLeft), ...(read[active]?.notes ?? [])],
    problems: active < 0 ? [problemOf(name, current)] : [],
  };
}

function readVersion(name: string, { tag, template, comment, headers }: Version) {
  const subject = Object.entries(headers ?? {}).find(([header]) => header.toLowerCase() === 'subject')?.[1];
  const content = {
    title: tag,
    message: `Imported from Mailgun: ${comment || tag || name}`,
    html: template ?? '',
    subject: typeof subject === 'string' ? subject : undefined,
  };
  return foreignVersion(content, mailgunDialect);
}

function noteLeft({ tag, engine }: Version): Warning {
  return engine === 'handlebars'
    ? { key: 'import_no_content', params: { version: tag } }
    : { key: 'import_engine', params: { version: tag, engine } };
}

/** Why the version in use cannot come. */
function problemOf(from: string, current: Version | undefined): FaultDetail {
  if (current?.template && current.engine !== 'handlebars')
    return { key: 'template_invalid.import_engine', params: { from, engine: current.engine }, loc: [] };
  return { key: 'template_invalid.import_no_content', params: { from }, loc: [] };
}

/** Oldest first where every version says when it was made (`Wed, 29 Aug 2018 23:31:13 UTC`), else as listed. */
function byDate(versions: readonly Version[]): readonly Version[] {
  const dated = versions.map((version) => ({ version, at: Date.parse(version.createdAt ?? '') }));
  if (dated.some(({ at }) => Number.isNaN(at))) return versions;
  return dated.toSorted((a, b) => a.at - b.at).map(({ version }) => version);
}

/** Handlebars 3 with `equal`, and variables that Mailgun fills in when it sends (documentation.mailgun.com, "Templates", "Batch sending"). */
export const mailgunDialect: Dialect = {
  helpers: { equal: 'eq' },
  marks: [
    {
      pattern: /%recipient\.([A-Za-z_][\w-]*(?:\.[\w-]+)*)%/g,
      instead: ([, path = '']) => `{{recipient.${path}}}`,
    },
    { pattern: /%recipient_(email|name|fname|lname)%/g, instead: ([, part = '']) => `{{recipient_${part}}}` },
    { pattern: /%recipient%/g, instead: () => '{{recipient_address}}' },
    {
      pattern: /%((?:mailing_list_|tag_)?unsubscribe_url|unsubscribe_email)%/g,
      instead: ([, name = '']) => `{{${name}}}`,
    },
    { pattern: /%v:([A-Za-z_][\w-]*)%/g, instead: ([, name = '']) => `{{${name}}}` },
  ],
};
