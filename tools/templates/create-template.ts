import { z } from 'zod';
import {
  Data,
  Document,
  FixtureName,
  Metadata,
  Template,
  TemplateKind,
  TemplateName,
} from '../../src/templates/schema.ts';
import { defineTool } from '../define.ts';
import { author, sayWarnings } from './answer.ts';

export const createTemplate = defineTool({
  name: 'create_template',
  title: 'Create a template',
  description:
    'Store a new email template, layout or partial at v1.0.0, shown by staging and production at once. {{name}} is a variable, {{> footer}} the partial named footer. To change a template use update_template.',
  toolset: 'templates',
  core: true,
  effect: 'create',
  scope: 'templates:write',
  route: 'POST /v1/templates',
  input: z.object({
    name: TemplateName.meta({ description: 'Letters, digits, space, dot, dash, underscore' }),
    ...Document.shape,
    kind: TemplateKind.default('template'),
    description: Metadata.shape.description.default(''),
    tags: Metadata.shape.tags.default([]),
    message: z.string().max(500).default(''),
    fixtures: z.record(FixtureName, Data).default({}).meta({ description: 'Sample data by name' }),
  }),
  output: Template,
  run: async (input, call) =>
    sayWarnings(await call.app.templates.catalog.create(author(call), input), call.locale),
  etag: ({ etag }) => etag,
  examples: [
    {
      title: 'a greeting',
      input: { name: 'greeting', html: '<p>Hello {{name}}</p>', subject: 'Hello {{name}}' },
    },
  ],
});
