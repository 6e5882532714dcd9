import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { presentTemplate, TemplateAnswer } from './template-output.ts';

export const listVideoTemplates = defineTool({
  name: 'list_video_templates',
  title: 'List video templates',
  description:
    'List the templates that create_video accepts, built-in and your own, each with the schema of its data, sample data and aspects. For the HTML of one, use get_video_template.',
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /video-templates' },
  input: z.object({}),
  output: z.object({ items: z.array(TemplateAnswer) }),
  run: async (_input, { app, caller }) => {
    const templates = await app.videos.templates.list(caller.accountId);
    return { items: templates.map(presentTemplate) };
  },
  examples: [{ title: 'Built-in templates', input: {} }],
});
