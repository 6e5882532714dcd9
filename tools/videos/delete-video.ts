import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { givenVideo, thatVideo } from './example-video.ts';
import { VideoId } from './input.ts';

export const deleteVideo = defineTool({
  name: 'delete_video',
  title: 'Delete a video',
  description:
    'Permanently delete a video and its files. A video that is still rendering is canceled first. To stop it and keep its finished parts, use cancel_video.',
  keywords: {
    en: ['remove a clip', 'erase the file', 'free space'],
    es: ['quitar video', 'borrar el archivo', 'liberar espacio'],
  },
  toolset: 'videos',
  effect: 'delete',
  scope: 'videos:write',
  rest: { route: 'DELETE /videos/{video_id}' },
  input: z.object({ video_id: VideoId }),
  output: Deleted,
  confirm: async ({ video_id }, { app, caller }) => {
    const { title } = await app.videos.get(caller.accountId, video_id);
    return { key: 'delete_video', params: { title } };
  },
  run: async ({ video_id }, { app, caller }) => {
    await app.videos.remove(caller.accountId, video_id);
    return { deleted: true as const };
  },
  examples: [{ title: 'A pending video', given: givenVideo, input: thatVideo }],
});
