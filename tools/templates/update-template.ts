import { z } from 'zod';
import { EDITED_FIELDS } from '../../src/templates/edits.ts';
import {
  BranchName,
  Bump,
  DEFAULT_BRANCH,
  Document,
  LayoutChange,
  LIMITS,
  Metadata,
  ReleaseLabel,
  TemplateName,
  Variable,
  Version,
  VersionLabel,
  Warning,
} from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author, localizeWarnings } from './output.ts';

const TextEdit = z.strictObject({
  old: z.string().min(1).max(LIMITS.sourceBytes),
  new: z.string().max(LIMITS.sourceBytes),
  field: z.enum(EDITED_FIELDS).default('html'),
});

export const updateTemplate = defineTool({
  name: 'update_template',
  title: 'Update a template',
  description:
    'Save a new version of a template on a branch. Send only the fields to change, or edits for single places; an empty string clears a field. Environments keep their version until promote_template.',
  keywords: {
    en: [
      'change the subject line',
      'fix a typo',
      'edit the text or the design',
      'replace a sentence',
      'swap an image in an email',
      'correct the wording',
      'change a color or a button',
    ],
    es: [
      'cambiar el asunto',
      'corregir una errata',
      'editar el texto o el diseño',
      'modificar el contenido',
      'reemplazar una frase',
      'cambiar el diseño de un correo',
      'cambiar un color o un botón',
    ],
  },
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:write',
  rest: { route: 'PATCH /v1/templates/{template}', etag: ({ etag }) => etag },
  mcp: {
    core: true,
    // What the caller has just sent is not said again.
    view: ({ template, version, branch, created, bump_reason, environments, warnings }) => ({
      template,
      version,
      branch,
      created,
      ...(bump_reason && { bump_reason }),
      ...(environments.length > 0 && { environments }),
      ...(warnings.length > 0 && { warnings }),
    }),
  },
  input: z.object({
    template: TemplateName,
    ...Document.partial().shape,
    layout: LayoutChange.optional(),
    edits: z
      .array(TextEdit)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Replace texts that occur exactly once' }),
    ...Metadata.partial().shape,
    branch: BranchName.default(DEFAULT_BRANCH),
    message: z.string().max(500).default(''),
    bump: Bump.default('auto'),
    version: ReleaseLabel.optional(),
    expected_head: VersionLabel.optional().meta({
      description: 'Version you read; protects newer work',
    }),
  }),
  output: Version.extend({
    variables: z.array(Variable),
    created: z.boolean().meta({ description: 'False when the content did not change' }),
    warnings: z.array(Warning),
    etag: z.string(),
  }),
  run: async ({ template: name, ...input }, call) => {
    const { edits, description, tags, branch, message, bump, version, expected_head, ...change } = input;
    const options = { branch, message, bump, version, expectedHead: expected_head, ifMatch: call.ifMatch };
    const update = { change, edits, description, tags, ...options };
    return localizeWarnings(await call.app.templates.updating.update(author(call), name, update), call);
  },
  examples: [
    {
      title: 'A new subject',
      input: { template: 'welcome', subject: 'Good to see you, {{name}}', expected_head: 'v1.0.0' },
    },
    {
      title: 'One place in a long email',
      input: { template: 'welcome', edits: [{ old: 'Welcome', new: 'Good to see you', field: 'subject' }] },
    },
    { title: 'Tags only, without a new version', input: { template: 'welcome', tags: ['onboarding'] } },
  ],
});
