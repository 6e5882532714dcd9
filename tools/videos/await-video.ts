import type { Video } from '../../src/videos/video.ts';
import type { Call } from '../contract/define.ts';

/** Clients of models give up after 30 or 60 seconds. */
const MODEL_SECONDS = 25;

/** The video once it has ended, or its state after this many seconds (for a model at most 25). */
export async function awaitVideo(id: string, wanted: number, call: Call): Promise<Video> {
  const { app, caller, signal, progress, byModel } = call;
  const seconds = byModel ? Math.min(wanted, MODEL_SECONDS) : wanted;
  if (seconds > 0) {
    const until = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
    for await (const { frames, status } of app.videos.follow(caller.accountId, id, 0, until))
      progress(frames.done, frames.total, status);
  }
  return app.videos.get(caller.accountId, id);
}
