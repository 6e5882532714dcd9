import { z } from 'zod';
import { BranchName, EnvironmentName, FixtureName, Metadata, TemplateKind, TemplateName } from '../schema.ts';

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

/** What a bundle keeps of a template, beside its files. */
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

/** `stallhand.json`. */
export const Manifest = z.strictObject({
  format: z.literal('stallhand-bundle'),
  version: z.literal(1),
  templates: z.array(BundledTemplate),
});
export type Manifest = z.output<typeof Manifest>;
