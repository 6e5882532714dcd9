import { z } from 'zod';
import { DiffFormat } from '../../src/templates/diff/diff.ts';
import { ColorScheme, Device } from '../../src/templates/rendering/preview.ts';
import { DEFAULT_BRANCH, FixtureName, Reference, TemplateName, Warning } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { localizeWarnings } from './output.ts';

const NOTE_WITH_TWO_VERSIONS = [
  ['create_template', { name: 'note', html: '<p>Hello {{name}}</p>\n<p>Bye</p>' }],
  ['update_template', { name: 'note', html: '<p>Hello {{name}}, {{greeting}}</p>\n<p>Bye</p>' }],
] as const;

const Operation = z.enum(['equal', 'added', 'removed']);

const Hunk = z.object({
  from_start: z.number(),
  from_lines: z.number(),
  to_start: z.number(),
  to_lines: z.number(),
  lines: z.array(z.object({ op: Operation, text: z.string(), no_newline: z.literal(true).optional() })),
});

export const diffVersions = defineTool({
  name: 'diff_versions',
  title: 'Compare versions',
  description:
    'Compare two versions of a template; from and to each take a version, branch or environment. Formats: unified and hunks (lines), tokens (words and tags), structural (elements), schema (variables callers must send), visual (screenshots). Changes nothing.',
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/diff' },
  mcp: { core: true, view: (output) => output.unified ?? JSON.stringify(output) },
  input: z.object({
    template: TemplateName,
    from: Reference.default('production'),
    to: Reference.default(DEFAULT_BRANCH),
    format: DiffFormat.default('unified'),
    fixture: FixtureName.optional().meta({ description: 'For a visual diff' }),
    device: Device.optional().meta({ description: 'Of a visual diff' }),
    color_scheme: ColorScheme.optional(),
  }),
  output: z.object({
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
    image: Delivered.extend({ width: z.number(), height: z.number() }).optional(),
    changed: z.number().optional().meta({ description: 'Share of pixels that differ, 0 to 1' }),
    warnings: z.array(Warning).optional().meta({ description: 'Only of a visual diff' }),
  }),
  run: async (
    { template, fixture, device, color_scheme, ...input },
    { app, caller, locale, signal, deliver },
  ) => {
    const diff = await app.templates.diffing.diff(caller.accountId, template, input);
    if (input.format !== 'visual') return diff;
    const visual = await app.templates.visualDiff.run(caller.accountId, template, {
      ...input,
      fixture,
      device,
      colorScheme: color_scheme,
      signal,
    });
    const { file, changed, warnings, ...size } = visual;
    const image = { ...size, ...(await deliver(file)) };
    return localizeWarnings({ ...diff, changed, image, warnings }, locale);
  },
  examples: (['unified', 'hunks', 'tokens', 'structural', 'schema', 'visual'] as const).map((format) => ({
    title: `what main has that production has not: ${format}`,
    given: NOTE_WITH_TWO_VERSIONS,
    input: { template: 'note', format },
  })),
});
