import { z } from 'zod';
import type { InputKey } from '../language.ts';

/** Limits of one template, and of an account's templates. */
export const LIMITS = {
  sourceBytes: 256 * 1024,
  data: { levels: 100, chars: 1024 * 1024 },
  templates: 10_000,
  branches: 100,
  batchRows: 10_000,
} as const;

export const DEFAULT_BRANCH = 'main';

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]{0,98}[\p{L}\p{M}\p{N}._-])?$/u;

// `café` is one name, whether its é is one character or two.
export const TemplateName = z
  .string()
  .normalize('NFC')
  .regex(NAME, 'template_name' satisfies InputKey);

/** The name of a layout, or nothing to have none. One pattern: some model vendors refuse a choice with an empty text. */
export const LayoutChange = z
  .string()
  .normalize('NFC')
  .regex(new RegExp(`^$|${NAME.source}`, 'u'), 'template_name' satisfies InputKey);

export const TemplateKind = z.enum(['template', 'layout', 'partial']);
export type TemplateKind = z.output<typeof TemplateKind>;

export const BranchName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9](?:\.?[a-z0-9_/-])*\.?$/, 'branch_name' satisfies InputKey);

export const VersionLabel = z.string().min(2).max(140).meta({ description: 'Such as v2.1, or latest' });

export const ReleaseLabel = z
  .string()
  .regex(/^v(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){1,2}$/, 'version_label' satisfies InputKey)
  .meta({ description: 'Such as v2.1.0' });

export const EnvironmentName = z.enum(['staging', 'production']);
export type EnvironmentName = z.output<typeof EnvironmentName>;

export const Reference = z.string().min(1).max(140).meta({ description: 'Version, branch or environment' });

export const Bump = z.enum(['auto', 'major', 'minor', 'patch']);
export type Bump = z.output<typeof Bump>;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

// Transports and the database deliver parsed JSON, so the values are not checked again.
const JsonValue = z.unknown() as z.ZodType<Json>;
const JsonObject = z.looseObject({}) as unknown as z.ZodType<{ [key: string]: Json }>;

/** Values for the variables of a template. */
export const Data = JsonObject.meta({ description: 'Variable values' });
export type Data = z.output<typeof Data>;

const Text = z.string().max(LIMITS.sourceBytes);

/** A JSON Schema of type object: types, defaults and `format: html` of variables. */
export const DataSchema = JsonObject.meta({
  description: 'JSON Schema of the data; format html for markup',
});

/** The language of the HTML field. */
const SourceFormat = z.enum(['html', 'mjml']);

/** What a version holds. Two versions with the same document have the same hash. */
export const Document = z.strictObject({
  html: Text,
  subject: Text.optional(),
  preheader: Text.optional(),
  text: Text.optional(),
  css: Text.optional(),
  format: SourceFormat.optional(),
  schema: DataSchema.optional(),
  layout: TemplateName.optional(),
});
export type Document = z.output<typeof Document>;

export const Metadata = z.strictObject({
  description: z.string().max(1000),
  tags: z.array(z.string().min(1).max(50)).max(20),
});
export type Metadata = z.output<typeof Metadata>;

export const FixtureName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'fixture_name' satisfies InputKey);

export const Variable = z.object({
  name: z.string(),
  type: z.string(),
  required: z.boolean(),
  default: JsonValue.optional(),
  description: z.string().optional(),
});

export const Warning = z.object({
  code: z.string(),
  message: z.string(),
  line: z.number().optional(),
  col: z.number().optional(),
  characters: z.number().optional().meta({ description: 'Number of characters without a glyph' }),
  sample: z.string().optional().meta({ description: 'Up to ten of them' }),
  height: z.number().optional(),
  limit: z.number().optional(),
});

const Timestamp = z.iso.datetime();

const Environments = z.object({
  staging: z.string().optional(),
  production: z.string().optional(),
});

export const TemplateSummary = z.object({
  id: z.string(),
  name: z.string(),
  kind: TemplateKind,
  description: z.string(),
  tags: z.array(z.string()),
  version: z.string(),
  branch: z.string(),
  environments: Environments.meta({ description: 'Version each environment points to' }),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const Template = TemplateSummary.extend({
  alias: z.string().optional(),
  variables: z.array(Variable),
  warnings: z.array(Warning),
  ...Document.partial().shape,
  html_lines: z.number().optional(),
  html_part: z
    .object({
      total_lines: z.number(),
      text: z.string().meta({ description: 'Lines with their numbers: 120| <p>Hello</p>' }),
      found: z.number().optional().meta({ description: 'Lines that contain the text in find' }),
      more: z.string().optional().meta({ description: 'Lines that did not fit: request these next' }),
    })
    .optional(),
  etag: z.string(),
});
export type Template = z.output<typeof Template>;

export const Version = z.object({
  id: z.string(),
  template: z.string(),
  version: z.string(),
  alias: z.string().optional(),
  branch: z.string(),
  parents: z.array(z.string()),
  seq: z.number(),
  sha256: z.string(),
  bump: z.string(),
  bump_reason: z.string(),
  message: z.string(),
  author: z.string(),
  rolled_back_from: z.string().optional(),
  environments: z.array(z.string()),
  created_at: Timestamp,
});

export const Branch = z.object({
  name: z.string(),
  status: z.enum(['Active', 'Draft']),
  head: z.string(),
  base: z.string(),
  description: z.string(),
  ahead: z.number().meta({ description: 'Versions that are not on main' }),
  behind: z.number().meta({ description: 'Versions of main that are not on this branch' }),
  created_at: Timestamp,
  merged_at: Timestamp.optional(),
});

export const PointerEvent = z.object({
  id: z.string(),
  environment: z.string(),
  version: z.string(),
  previous: z.string().optional(),
  action: z.enum(['created', 'promoted', 'rolled_back']),
  forced: z.boolean(),
  note: z.string(),
  actor: z.string(),
  created_at: Timestamp,
});

export const Environment = z.object({
  name: EnvironmentName,
  require_from: EnvironmentName.optional(),
  approvals: z.number(),
  freeze: z.boolean(),
});

export const Fixture = z.object({
  name: z.string(),
  data: Data,
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** Which version to use: at most one of the three. */
export const versionChoice = {
  version: VersionLabel.optional(),
  environment: EnvironmentName.optional(),
  branch: BranchName.optional(),
};
