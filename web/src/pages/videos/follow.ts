import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { call, send } from '../../api/call.ts';
import { getVideo, listVideos } from '../../api/operations.gen.ts';
import { keyOf } from '../../api/read.ts';
import { eventsOf } from '../../api/stream.ts';
import { text } from '../../i18n/text.ts';
import { toast } from '../../ui/toast.ts';
import { isUnfinished, type Video } from './facts.ts';

/** Videos that are followed, however many pages show them. */
const followed = new Set<string>();
const AGAIN_MS = 2_000;

/** Follows a video until it ends, also after the page is left: its end is then said wherever the person is. */
export function useFollowed(video: Video | undefined): void {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const id = video && isUnfinished(video) ? video.id : undefined;
  useEffect(() => {
    if (id === undefined || followed.has(id)) return;
    followed.add(id);
    void follow(id, queries)
      .then((ended) => ended && announce(ended, go))
      .finally(() => followed.delete(id));
  }, [id, queries, go]);
}

async function follow(id: string, queries: QueryClient): Promise<Video | undefined> {
  const show = (video: Video) => queries.setQueryData(keyOf(getVideo, { video_id: id }), video);
  for (;;) {
    const last = await latestOf(id, show).catch(() => undefined);
    if (last && !isUnfinished(last)) {
      show(last);
      await queries.invalidateQueries({ queryKey: [listVideos] });
      return last;
    }
    // The stream broke: whether there is still something to follow is what the video says.
    const now = await call(getVideo, { video_id: id }).catch(() => undefined);
    if (now === undefined) return undefined;
    show(now);
    if (!isUnfinished(now)) return now;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** The last state that the server's events told of. */
async function latestOf(id: string, show: (video: Video) => void): Promise<Video | undefined> {
  const path = `/videos/${encodeURIComponent(id)}/events`;
  const response = await send('GET', path, undefined, undefined, 'text/event-stream');
  let last: Video | undefined;
  for await (const { data } of eventsOf(response)) {
    last = data as Video;
    show(last);
  }
  return last;
}

/** Said only where the video itself is not shown. */
function announce({ id, title, status }: Video, go: (path: string) => void): void {
  const path = `/videos/${id}`;
  if (location.pathname === path || status === 'canceled') return;
  const said = status === 'completed' ? 'video.isReady' : 'video.hasFailed';
  toast(text(said, { video: title }), { label: text('video.open'), run: () => go(path) });
}
