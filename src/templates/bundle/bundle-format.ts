import { z } from 'zod';
import { stableJson } from '../../platform/stable-json.ts';
import { isVersionReference } from '../resolve/find-version.ts';
import {
  BranchName,
  DataSchema,
  DEFAULT_BRANCH,
  Document,
  EnvironmentName,
  FixtureName,
  Metadata,
  TemplateKind,
  TemplateName,
} from '../schema.ts';
import { formatLabel, parseLabel } from '../versions/label.ts';

// PostgreSQL knows no year 0.
const Timestamp = z.iso.datetime().refine((at) => !at.startsWith('0000'));
const Label = z.string().max(140);
// Wider than any operation allows, so that what an account has always comes back in.
const LongText = z.string().max(10_000);

const BundledVersion = z.strictObject({
  label: Label,
  branch: BranchName,
  parents: z.array(Label).max(2),
  message: LongText,
  author: LongText,
  created_at: Timestamp,
  bump: z.string().max(20),
  bump_reason: LongText,
  rolled_back_from: Label.optional(),
  /** The layout and partials it uses, each with the version it had when this one was saved. */
  uses: z.array(z.strictObject({ kind: z.enum(['layout', 'partial']), name: TemplateName, version: Label })),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Label of the version whose folder holds the same content. */
  folder: Label,
  /** The fields of the document that have no file of their own. */
  fields: z.record(z.string(), z.json()),
});
export type BundledVersion = z.output<typeof BundledVersion>;

const BundledBranch = z.strictObject({
  name: BranchName,
  head: Label,
  base: Label,
  description: LongText,
  created_at: Timestamp,
  merged_at: Timestamp.optional(),
});

/** `template.json`: what a bundle keeps of a template, beside its other files. */
export const BundledTemplate = z.strictObject({
  name: TemplateName,
  kind: TemplateKind,
  ...Metadata.shape,
  created_at: Timestamp,
  updated_at: Timestamp,
  /** In the order they were made. */
  versions: z.array(BundledVersion).min(1).max(100_000),
  branches: z.array(BundledBranch).min(1).max(1000),
  environments: z.partialRecord(EnvironmentName, Label),
  fixtures: z.array(FixtureName).max(200),
});
export type BundledTemplate = z.output<typeof BundledTemplate>;

export type BundledHistory = Omit<BundledTemplate, 'name' | 'kind' | 'description' | 'tags' | 'fixtures'>;

const format = z.literal('stallhand-bundle');

/** `stallhand.json`. Bundles of the first version have everything about all templates in it. */
export const Manifest = z.discriminatedUnion('version', [
  z.strictObject({ format, version: z.literal(1), templates: z.array(BundledTemplate) }),
  z.strictObject({ format, version: z.literal(2), templates: z.array(TemplateName) }),
]);
export type Manifest = z.output<typeof Manifest>;

/** What in a history points to nothing, or bears a name it cannot have; undefined when all fits together. */
export function brokenLink({ versions, branches, environments }: BundledHistory): string | undefined {
  const seen = new Set<string>();
  for (const { label, parents, rolled_back_from: origin } of versions) {
    const parsed = parseLabel(label);
    if (!parsed || formatLabel(parsed) !== label) return `${label} is no version label`;
    if (seen.has(label)) return `there are two versions ${label}`;
    const unknown = [...parents, ...(origin === undefined ? [] : [origin])].find((other) => !seen.has(other));
    if (unknown !== undefined) return `${label} comes from ${unknown}, which is not before it`;
    if (parents.length === 0 && seen.size > 0) return `${label} comes from no other version`;
    seen.add(label);
  }
  const folder = versions.find((version) => !seen.has(version.folder));
  if (folder) return `there is no folder ${folder.folder}`;
  return brokenPointer(seen, branches, environments);
}

function brokenPointer(
  versions: ReadonlySet<string>,
  branches: BundledHistory['branches'],
  environments: BundledHistory['environments'],
): string | undefined {
  const names = new Set(branches.map(({ name }) => name));
  if (names.size < branches.length) return 'two branches have one name';
  if (!names.has(DEFAULT_BRANCH)) return `there is no branch ${DEFAULT_BRANCH}`;
  const misnamed = [...names].find(
    (name) => isVersionReference(name) || EnvironmentName.safeParse(name).success,
  );
  if (misnamed !== undefined) return `${misnamed} is no name for a branch`;
  const targets = [...branches.flatMap(({ head, base }) => [head, base]), ...Object.values(environments)];
  const lost = targets.find((label) => !versions.has(label));
  return lost === undefined ? undefined : `there is no version ${lost}`;
}

/** The fields that become files, so that a bundle can be read and compared without this program. */
const FILES = {
  subject: 'subject.txt',
  preheader: 'preheader.txt',
  text: 'mail.txt',
  css: 'style.css',
} as const;

const SCHEMA_FILE = 'schema.json';

/** Every file that the folder of a version can have. */
export const VERSION_FILES: readonly string[] = [
  'mail.html',
  'mail.mjml',
  ...Object.values(FILES),
  SCHEMA_FILE,
];

/** Where the files of a template are. */
export const folderOf = (name: string): string => `templates/${name}`;

/** What stands in the folder of a template beside those of its versions. */
export const TEMPLATE_FILE = 'template.json';

export const fixtureFile = (template: string, fixture: string): string =>
  `${folderOf(template)}/fixtures/${fixture}.json`;

/** A document as files, and its other fields as JSON. */
export function filesOfDocument({ html, schema, ...document }: Document) {
  const fields: Record<string, unknown> = { ...document };
  const files: [file: string, text: string][] = [[htmlFile(fields), html]];
  for (const [field, file] of Object.entries(FILES)) {
    const text = fields[field];
    if (typeof text === 'string') files.push([file, text]);
    delete fields[field];
  }
  if (schema) files.push([SCHEMA_FILE, stableJson(schema)]);
  return { files, fields };
}

/** The document of a folder; undefined where its main file is missing. `read` returns undefined for a file that is not there. */
export function documentOfFiles(
  fields: Readonly<Record<string, unknown>>,
  read: (file: string) => string | undefined,
): Document | undefined {
  const html = read(htmlFile(fields));
  if (html === undefined) return undefined;
  const texts = Object.entries(FILES).flatMap(([field, file]) => {
    const text = read(file);
    return text === undefined ? [] : [[field, text] as const];
  });
  const schema = read(SCHEMA_FILE);
  return Document.parse({
    ...fields,
    html,
    ...Object.fromEntries(texts),
    ...(schema !== undefined && { schema: DataSchema.parse(JSON.parse(schema)) }),
  });
}

function htmlFile(fields: Readonly<Record<string, unknown>>): string {
  return fields['format'] === 'mjml' ? 'mail.mjml' : 'mail.html';
}
