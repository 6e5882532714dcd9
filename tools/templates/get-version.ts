import { z } from 'zod';
import { Document, TemplateName, Variable, Version, VersionLabel } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';

export const getVersion = defineTool({
  name: 'get_version',
  title: 'Get a version',
  description:
    'Get one version of a template with its content and variables. Versions never change. To read the latest version, use get_template.',
  keywords: {
    en: [
      'read an old version',
      'content of an earlier version',
      'see how it was in v1.0.0',
      'what did it look like then',
      'template at a version number',
    ],
    es: [
      'ver una versión anterior',
      'leer una versión antigua',
      'contenido de una versión',
      'cómo era antes',
      'cómo se veía antes',
      'plantilla en una versión',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: {
    route: 'GET /v1/templates/{template}/versions/{version}',
    etag: ({ id, environments }) => `${id}.${environments.join('.')}`,
  },
  input: z.object({ template: TemplateName, version: VersionLabel }),
  output: Version.extend({ variables: z.array(Variable), ...Document.shape }),
  run: ({ template, version }, { app, caller }) =>
    app.templates.versions.get(caller.accountId, template, version),
  examples: [
    { title: 'The first version, by its short name', input: { template: 'welcome', version: 'v1.0' } },
  ],
});
