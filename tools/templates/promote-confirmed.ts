import { z } from 'zod';
import { EnvironmentName, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author } from './output.ts';
import { Promoted } from './promote-template.ts';

/** One version and no other: `latest` and `v2` could mean another one by now. */
const ExactVersion = z
  .string()
  .max(140)
  .regex(/^v\d+\.\d+\.\d+(-\S+)?$/);

/** A click on Promote in the app that shows a diff: exactly the versions that were shown, and never by force. */
export const promoteConfirmed = defineTool({
  name: 'promote_confirmed',
  title: 'Promote the version shown',
  description:
    'Point an environment at the version that the app shows, if the environment is still on the version it shows. Only apps call it, when a person clicks. Models use promote_template.',
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:promote',
  mcp: { visibility: ['app'], standsFor: 'promote_template' },
  input: z.object({
    template: TemplateName,
    to: EnvironmentName,
    version: ExactVersion,
    replaces: ExactVersion.nullable().meta({
      description: 'Version the environment was shown to be on; null for none',
    }),
  }),
  output: Promoted,
  run: ({ template, ...promotion }, call) =>
    call.app.templates.promotion.promote(author(call), template, {
      ...promotion,
      force: false,
      note: '',
      locale: call.locale,
    }),
  examples: [
    {
      title: 'A new version to staging',
      given: [['update_template', { template: 'welcome', subject: 'Good morning' }]],
      input: { template: 'welcome', to: 'staging', version: 'v1.0.1', replaces: 'v1.0.0' },
    },
  ],
});
