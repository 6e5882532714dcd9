import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { greeting } from './example-video.ts';
import { KnownTemplate } from './input.ts';
import { sayWholeTemplate, WholeTemplate } from './template-answer.ts';

export const getVideoTemplate = defineTool({
  name: 'get_video_template',
  title: 'Read a video template',
  description: 'Read a video template: the data it takes, a sample of it, and its html.',
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /video-templates/{name}', etag: ({ etag }) => etag },
  input: z.object({ name: KnownTemplate }),
  output: WholeTemplate,
  run: async ({ name }, { app, caller }) =>
    sayWholeTemplate(await app.videos.templates.get(caller.accountId, name)),
  examples: [
    { title: 'one of ours', input: { name: 'default' } },
    {
      title: "one of the account's own",
      given: [['save_video_template', greeting]],
      input: { name: greeting.name },
    },
  ],
});
