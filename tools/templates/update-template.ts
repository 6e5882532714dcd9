import { z } from 'zod';
import {
  BranchName,
  Bump,
  DEFAULT_BRANCH,
  Document,
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

export const updateTemplate = defineTool({
  name: 'update_template',
  title: 'Update a template',
  description:
    "Save changes to a template as a new version on a branch (default main). Send only the fields to change; an empty string clears a field. Environments keep their version until promote_template. Send expected_head, the version you read, so you don't overwrite newer work.",
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:write',
  rest: { route: 'PATCH /v1/templates/{name}', etag: ({ etag }) => etag },
  mcp: { core: true },
  input: z.object({
    name: TemplateName,
    ...Document.partial().shape,
    layout: z.union([TemplateName, z.literal('')]).optional(),
    ...Metadata.partial().shape,
    branch: BranchName.default(DEFAULT_BRANCH),
    message: z.string().max(500).default(''),
    bump: Bump.default('auto'),
    version: ReleaseLabel.optional(),
    expected_head: VersionLabel.optional(),
  }),
  output: Version.extend({
    variables: z.array(Variable),
    created: z.boolean().meta({ description: 'False when the content did not change' }),
    warnings: z.array(Warning),
    etag: z.string(),
  }),
  run: async ({ name, ...input }, call) => {
    const { description, tags, branch, message, bump, version, expected_head, ...change } = input;
    const options = { branch, message, bump, version, expectedHead: expected_head, ifMatch: call.ifMatch };
    const update = { change, description, tags, ...options };
    return localizeWarnings(
      await call.app.templates.updating.update(author(call), name, update),
      call.locale,
    );
  },
  examples: [
    {
      title: 'A new subject',
      input: { name: 'welcome', subject: 'Good to see you, {{name}}', expected_head: 'v1.0.0' },
    },
    { title: 'Tags only, without a new version', input: { name: 'welcome', tags: ['onboarding'] } },
  ],
});
