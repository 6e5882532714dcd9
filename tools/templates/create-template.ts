import { z } from 'zod';
import type { InputKey } from '../../src/language.ts';
import {
  Data,
  Document,
  FixtureName,
  Metadata,
  Template,
  TemplateKind,
  TemplateName,
} from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author, environmentsOf, localizeWarnings, newEnvironments } from './output.ts';

export const createTemplate = defineTool({
  name: 'create_template',
  title: 'Create a template',
  description:
    'Create an email template, layout or partial from html, or copy one with changes. {{name}} is a variable, {{> footer}} includes a partial. To change a template, use update_template.',
  keywords: {
    en: [
      'new email',
      'start an email from scratch',
      'paste my html',
      'copy of a template',
      'write my own email',
      'add a template',
      'campaign email',
      'duplicate an email',
    ],
    es: [
      'nuevo correo',
      'correo desde cero',
      'copiar una plantilla',
      'agregar una plantilla',
      'correo de campaña',
      'hacer un correo',
      'duplicar un correo',
    ],
  },
  toolset: 'templates',
  effect: 'create',
  scope: 'templates:write',
  rest: { route: 'POST /v1/templates', etag: ({ etag }) => etag },
  mcp: { core: true },
  // The one tool where `name` is a new name; models say `template` here too.
  aliases: { template: 'name' },
  input: z
    .object({
      name: TemplateName.meta({ description: 'Letters, digits, space, dot, dash, underscore' }),
      from: z.string().min(1).max(241).optional().meta({
        description: 'Template to copy, such as welcome@production',
      }),
      ...Document.partial().shape,
      kind: TemplateKind.optional(),
      description: Metadata.shape.description.default(''),
      tags: Metadata.shape.tags.optional(),
      message: z.string().max(500).optional(),
      fixtures: z.record(FixtureName, Data).optional().meta({ description: 'Sample data by fixture name' }),
      environments: newEnvironments,
    })
    .refine(({ from, html }) => from !== undefined || html !== undefined, {
      path: ['html'],
      message: 'template_content' satisfies InputKey,
    }),
  output: Template,
  run: async ({ environments, ...input }, call) => {
    const template = { ...input, environments: environmentsOf(environments, call, 'create_template') };
    return localizeWarnings(await call.app.templates.catalog.create(author(call), template), call);
  },
  examples: [
    {
      title: 'A greeting, live in both environments',
      input: {
        name: 'greeting',
        html: '<p>Hello {{name}}</p>',
        subject: 'Hello {{name}}',
        environments: ['staging', 'production'],
      },
    },
    {
      title: 'A copy of the welcome email, live nowhere yet',
      input: {
        from: 'welcome@production',
        name: 'black-friday',
        subject: '20 % off today, {{name}}',
        environments: [],
      },
    },
  ],
});
