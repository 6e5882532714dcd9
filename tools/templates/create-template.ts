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
import { defineTool } from '../contract/define.ts';
import { author, localizeWarnings } from './output.ts';

export const createTemplate = defineTool({
  name: 'create_template',
  title: 'Create a template',
  description:
    'Create an email template, layout or partial at v1.0.0; staging and production point to it immediately. {{name}} is a variable, {{> footer}} includes the partial footer. Returns the template with its variables and warnings. To change an existing template, use update_template.',
  toolset: 'templates',
  effect: 'create',
  scope: 'templates:write',
  rest: { route: 'POST /v1/templates', etag: ({ etag }) => etag },
  mcp: { core: true },
  input: z.object({
    name: TemplateName.meta({ description: 'New name: letters, digits, space, dot, dash, underscore' }),
    ...Document.shape,
    kind: TemplateKind.default('template'),
    description: Metadata.shape.description.default(''),
    tags: Metadata.shape.tags.default([]),
    message: z.string().max(500).default(''),
    fixtures: z.record(FixtureName, Data).default({}).meta({ description: 'Sample data by fixture name' }),
  }),
  output: Template,
  run: async (input, call) =>
    localizeWarnings(await call.app.templates.catalog.create(author(call), input), call.locale),
  examples: [
    {
      title: 'A greeting',
      input: { name: 'greeting', html: '<p>Hello {{name}}</p>', subject: 'Hello {{name}}' },
    },
  ],
});
