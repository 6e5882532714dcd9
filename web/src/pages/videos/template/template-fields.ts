import type { Input, Output } from '../../../api/operation.ts';
import type { getVideoTemplate, saveVideoTemplate } from '../../../api/operations.gen.ts';
import { text } from '../../../i18n/text.ts';
import type { Edited } from '../../../ui/editor/use-draft.ts';

export type OwnTemplate = Output<typeof getVideoTemplate>;
export type Manifest = Input<typeof saveVideoTemplate>['manifest'];
export type Aspect = NonNullable<Manifest['aspects']>[number];

export const FIELDS = [
  ...(['html', 'schema', 'sample', 'defaults'] as const),
  ...(['title', 'description', 'aspects', 'duration', 'scripts'] as const),
] as const;
export type TemplateField = (typeof FIELDS)[number];
export type TemplateContent = Readonly<Record<TemplateField, string>>;
export type EditedTemplate = Edited<TemplateField>;

export const ASPECTS = ['9:16', '4:5', '1:1', '16:9'] as const satisfies readonly Aspect[];

/** Fields that are written as JSON. */
const JSON_FIELDS = ['schema', 'sample', 'defaults'] as const;

/** Something that is wrong with one field; lines and columns count from 1. */
export type Finding = {
  readonly field: TemplateField;
  readonly line?: number;
  readonly col?: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
};

/** A template as texts, as a person types them. */
export function contentOf({ html, manifest }: Pick<OwnTemplate, 'html' | 'manifest'>): TemplateContent {
  const { title, description, aspects, duration, scripts } = manifest;
  return {
    ...{ html, title, description },
    ...{ schema: json(manifest.schema), sample: json(manifest.sample), defaults: json(manifest.defaults) },
    ...{ aspects: aspects.join(' '), duration: String(duration), scripts: scripts ? 'true' : '' },
  };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The aspects that are chosen, in their order. */
export const aspectsOf = ({ aspects }: TemplateContent): Aspect[] =>
  ASPECTS.filter((one) => aspects.split(' ').includes(one));

type ManifestReading =
  | { readonly manifest: Manifest; readonly findings: readonly never[] }
  | { readonly manifest: undefined; readonly findings: readonly Finding[] };

/** The manifest that the texts say, or what keeps them from being one. What the server checks is left to it. */
export function readManifest(content: TemplateContent): ManifestReading {
  const read = JSON_FIELDS.map((field) => readObject(field, content[field]));
  const seconds = Number(content.duration.replace(',', '.'));
  const findings: Finding[] = [
    ...read.flatMap(({ finding }) => (finding ? [finding] : [])),
    ...(content.title.trim() === '' ? [wrong('title', text('videoEditor.titleMissing'))] : []),
    ...(aspectsOf(content).length === 0 ? [wrong('aspects', text('videoEditor.aspectMissing'))] : []),
    ...(Number.isFinite(seconds) && seconds > 0 ? [] : [wrong('duration', text('videoEditor.notANumber'))]),
  ];
  if (findings.length > 0) return { manifest: undefined, findings };
  const [schema = {}, sample = {}, defaults = {}] = read.map(({ value }) => value);
  const { title, description, scripts } = content;
  const manifest = {
    ...{ title, description, schema, sample, defaults },
    ...{ aspects: aspectsOf(content), duration: seconds, scripts: scripts === 'true' },
  };
  return { manifest, findings: [] };
}

const wrong = (field: TemplateField, message: string): Finding => ({ field, severity: 'error', message });

type JsonObject = NonNullable<Manifest['schema']>;

function readObject(
  field: (typeof JSON_FIELDS)[number],
  written: string,
): { readonly value?: JsonObject; readonly finding?: Finding } {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as JsonObject };
    return { finding: { ...wrong(field, text('videoEditor.notAnObject')), line: 1 } };
  } catch (error) {
    return { finding: { ...wrong(field, text('videoEditor.notJson')), ...placeIn(written, error) } };
  }
}

/** Browsers say the place in words; where they do not, it is the end of the text. */
function placeIn(written: string, error: unknown): { line: number; col: number } {
  const [, line, col] = /line (\d+) column (\d+)/.exec(String(error)) ?? [];
  if (line !== undefined && col !== undefined) return { line: Number(line), col: Number(col) };
  return { line: written.trimEnd().split('\n').length, col: 1 };
}
