import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/call.ts';
import { follow } from '../../api/follow.ts';
import { getVideo, listVideos } from '../../api/operations.gen.ts';
import { keyOf } from '../../api/read.ts';
import { text } from '../../i18n/text.ts';
import { toast } from '../../ui/toast.ts';
import { isUnfinished, type Video } from './facts.ts';

/** Videos that are followed, however many pages show them. */
const followed = new Set<string>();

/** Follows a video until it ends, also after the page is left: its end is then said wherever the person is. */
export function useFollowed(video: Video | undefined): void {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const id = video && isUnfinished(video) ? video.id : undefined;
  useEffect(() => {
    if (id === undefined || followed.has(id)) return;
    followed.add(id);
    void followVideo(id, queries)
      .then((ended) => ended && announce(ended, go))
      .finally(() => followed.delete(id));
  }, [id, queries, go]);
}

async function followVideo(id: string, queries: QueryClient): Promise<Video | undefined> {
  const last = await follow<Video>({
    path: `/videos/${encodeURIComponent(id)}/events`,
    isEnded: (video) => !isUnfinished(video),
    show: (video) => queries.setQueryData(keyOf(getVideo, { video_id: id }), video),
    read: () => call(getVideo, { video_id: id }),
  });
  if (last) await queries.invalidateQueries({ queryKey: [listVideos] });
  return last;
}

/** Said only where the video itself is not shown. */
function announce({ id, title, status }: Video, go: (path: string) => void): void {
  const path = `/videos/${id}`;
  if (location.pathname === path || status === 'canceled') return;
  const said = status === 'completed' ? 'video.isReady' : 'video.hasFailed';
  toast(text(said, { video: title }), { label: text('video.open'), run: () => go(path) });
}
