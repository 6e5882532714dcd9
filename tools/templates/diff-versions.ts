import { z } from 'zod';
import { ColorScheme, Device, DiffFormat } from '../../src/templates/output-choices.ts';
import { DEFAULT_BRANCH, FixtureName, TemplateName, Warning } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { localizeWarnings } from './output.ts';
import { TypeMismatches } from './render-template.ts';

const NOTE_WITH_TWO_VERSIONS = [
  ['create_template', { name: 'note', html: '<p>Hello {{name}}</p>\n<p>Bye</p>' }],
  ['update_template', { template: 'note', html: '<p>Hello {{name}}, {{greeting}}</p>\n<p>Bye</p>' }],
] as const;

const FORMAT_EXAMPLES = (['unified', 'hunks', 'tokens', 'structural', 'schema', 'visual'] as const).map(
  (format) => ({
    title: `From production to main: ${format}`,
    given: NOTE_WITH_TWO_VERSIONS,
    input: { template: 'note', format },
  }),
);

const Operation = z.enum(['equal', 'added', 'removed']);

const Hunk = z.object({
  from_start: z.number(),
  from_lines: z.number(),
  to_start: z.number(),
  to_lines: z.number(),
  lines: z.array(z.object({ op: Operation, text: z.string(), no_newline: z.literal(true).optional() })),
});

const Diff = z.object({
  from: z.string(),
  to: z.string(),
  format: DiffFormat,
  stats: z
    .object({ added: z.number(), removed: z.number() })
    .meta({ description: 'Lines added and removed' }),
  fields: z.array(z.string()).meta({ description: 'Fields that differ' }),
  breaking: z.boolean().meta({ description: 'True when callers must change what they send' }),
  unified: z.string().optional(),
  hunks: z.array(z.object({ field: z.string(), hunks: z.array(Hunk) })).optional(),
  tokens: z
    .array(z.object({ field: z.string(), parts: z.array(z.object({ op: Operation, text: z.string() })) }))
    .optional(),
  nodes: z.array(z.looseObject({ change: z.string(), path: z.string() })).optional(),
  schema_changes: z
    .array(z.object({ variable: z.string(), change: z.string(), breaking: z.boolean() }))
    .optional(),
  image: Delivered.extend({ width: z.number(), height: z.number(), panel_width: z.number() }).optional(),
  changed: z.number().optional().meta({ description: 'Share of pixels that differ, 0 to 1' }),
  missing_variables: z.array(z.string()).optional().meta({ description: 'Only for a visual diff' }),
  type_mismatches: TypeMismatches.optional(),
  warnings: z.array(Warning).optional().meta({ description: 'Only for a visual diff' }),
});

/** A version, branch or environment; after `name@`, of another template. */
const Compared = z.string().min(1).max(241);

export const diffVersions = defineTool({
  name: 'diff_versions',
  title: 'Compare versions',
  description:
    'Compare two versions: from and to take a version, branch or environment, also of another template (welcome@main). Formats: unified and hunks (lines), tokens (words and tags), structural (elements), schema (variables to send), visual (screenshots).',
  keywords: {
    en: [
      'differences',
      'what changed between two versions',
      'side by side',
      'show the changes',
      'what is different',
      'compare staging with production',
    ],
    es: [
      'diferencias entre versiones',
      'qué cambió entre dos versiones',
      'comparar pruebas con producción',
      'ver los cambios',
      'qué es distinto',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/diff' },
  mcp: { core: true, app: { name: 'diff' }, view },
  input: z.object({
    template: TemplateName,
    from: Compared.default('production'),
    to: Compared.default(DEFAULT_BRANCH),
    format: DiffFormat.default('unified'),
    fixture: FixtureName.optional().meta({ description: 'For a visual diff' }),
    device: Device.optional().meta({ description: 'For a visual diff' }),
    color_scheme: ColorScheme.optional(),
  }),
  output: Diff,
  run: async ({ template, fixture, device, color_scheme, ...input }, call) => {
    const { app, caller, signal, deliver } = call;
    const diff = await app.templates.diffing.diff(caller.accountId, template, input);
    if (input.format !== 'visual') return diff;
    const visual = await app.templates.visualDiff.run(caller.accountId, template, {
      ...input,
      fixture,
      device,
      colorScheme: color_scheme,
      signal,
    });
    const { file, changed, missingVariables, typeMismatches, warnings, panelWidth, ...size } = visual;
    const image = { ...size, panel_width: panelWidth, ...(await deliver(file)) };
    const found = { missing_variables: missingVariables, type_mismatches: typeMismatches, warnings };
    return localizeWarnings({ ...diff, changed, image, ...found }, call);
  },
  examples: [
    {
      title: 'A copy beside its original',
      given: [['create_template', { from: 'welcome', name: 'black-friday', subject: '20 % off' }]],
      input: { template: 'welcome', to: 'black-friday@main' },
    },
    ...FORMAT_EXAMPLES,
  ],
});

/** The text for a model: the lines, or that there are none. */
function view(output: z.output<typeof Diff>): string | object {
  if (output.fields.length === 0 && output.format !== 'visual')
    return `No differences: ${output.from} and ${output.to} have the same content.`;
  return output.unified ?? output;
}
