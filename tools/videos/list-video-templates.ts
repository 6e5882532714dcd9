import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { sayTemplate, TemplateAnswer } from './template-answer.ts';

export const listVideoTemplates = defineTool({
  name: 'list_video_templates',
  title: 'List video templates',
  description:
    'List what videos can be made of: our templates and those of the account, each with the data it takes, its aspects and a sample.',
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /video-templates' },
  input: z.object({}),
  output: z.object({ items: z.array(TemplateAnswer) }),
  run: async (_input, { app, caller }) => {
    const templates = await app.videos.templates.list(caller.accountId);
    return { items: templates.map(sayTemplate) };
  },
  examples: [{ title: 'those that everybody has', input: {} }],
});
