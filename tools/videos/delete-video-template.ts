import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { greeting } from './example-video.ts';
import { KnownTemplate } from './input.ts';

export const deleteVideoTemplate = defineTool({
  name: 'delete_video_template',
  title: 'Delete a video template',
  description:
    "Permanently delete a video template of this account with all its versions. Its videos stay. Built-in templates can't be deleted.",
  keywords: {
    en: ['remove a video design', 'get rid of my own video template'],
    es: ['borrar plantilla de video', 'eliminar un diseño de video'],
  },
  toolset: 'videos',
  effect: 'delete',
  scope: 'videos:write',
  rest: { route: 'DELETE /video-templates/{template}' },
  input: z.object({ template: KnownTemplate }),
  output: Deleted,
  confirm: async ({ template: name }, { app, caller }) => {
    const { name: template } = await app.videos.templates.get(caller.accountId, name);
    return { key: 'delete_video_template', params: { template } };
  },
  run: async ({ template: name }, { app, caller, ifMatch }) => {
    await app.videos.templates.remove(caller.accountId, name, ifMatch);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'A template of the account',
      given: [['save_video_template', greeting]],
      input: { template: greeting.template },
    },
  ],
});
