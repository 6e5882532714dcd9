import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { givenVideo, thatVideo } from './example-video.ts';
import { VideoId } from './input.ts';

export const deleteVideo = defineTool({
  name: 'delete_video',
  title: 'Delete a video',
  description: 'Remove a video and its files for good; one that is being made is canceled first.',
  toolset: 'videos',
  effect: 'delete',
  scope: 'videos:write',
  rest: { route: 'DELETE /videos/{video_id}' },
  input: z.object({ video_id: VideoId }),
  output: Deleted,
  run: async ({ video_id }, { app, caller }) => {
    await app.videos.remove(caller.accountId, video_id);
    return { deleted: true as const };
  },
  examples: [{ title: 'one that waits', given: givenVideo, input: thatVideo }],
});
