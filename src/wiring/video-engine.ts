import type { Config } from '../config.ts';
import { createLauncher } from '../platform/browser/launch-browser.ts';
import { resolveBrowser } from '../platform/browser/resolve-browser.ts';
import type { Log } from '../platform/log.ts';
import type { ConvertClip } from '../videos/composition/prepare-clip.ts';
import { createAssemble } from '../videos/encode/assemble.ts';
import { createClipConverter } from '../videos/encode/convert-clip.ts';
import { findFfmpeg } from '../videos/encode/ffmpeg.ts';
import { chooseEncoder } from '../videos/encode/ffmpeg-encoder.ts';
import { loadAacEncoder } from '../videos/encode/sound/aac-encoder.ts';
import { createFfmpegMixer } from '../videos/encode/sound/ffmpeg-mixer.ts';
import { createPageMixer } from '../videos/encode/sound/page-mixer.ts';
import { canvasFrames } from '../videos/frames/canvas-frames.ts';
import { createProbe } from '../videos/frames/capture-mode.ts';
import type { RenderSessions } from '../videos/frames/frames.ts';
import { inPageChunk } from '../videos/frames/in-page-chunk.ts';
import { openPage } from '../videos/frames/open-page.ts';
import { createRenderSessions } from '../videos/frames/render-sessions.ts';
import type { Encoders } from '../videos/videos.ts';

export type VideoEngine = {
  readonly stages: RenderSessions;
  readonly assemble: ReturnType<typeof createAssemble>;
  readonly encoders: () => Promise<Encoders>;
  readonly convertClip: ConvertClip;
};

/** What paints and encodes on this machine. */
export async function openVideoEngine(
  { browserPath: executablePath }: Config,
  log: Log,
): Promise<VideoEngine> {
  const launch = createLauncher(log);
  const resolve = () => resolveBrowser({ executablePath, log });
  const ffmpeg = await findFfmpeg();
  const encoder = chooseEncoder(ffmpeg);
  const mixer =
    ffmpeg && encoder
      ? createFfmpegMixer(ffmpeg)
      : createPageMixer(async (composition, signal) =>
          openPage(composition, { found: await resolve(), launch, signal }),
        );
  const modes = { probe: createProbe(), canvasFrames, inPageChunk };
  const stages = createRenderSessions({ findBrowser: resolve, launch, encoder, modes, log });
  const encoders = async () => {
    const all = encoder !== undefined;
    return { ffmpeg: all, aac: all || (await loadAacEncoder()) };
  };
  const convertClip = createClipConverter(ffmpeg);
  return { stages, assemble: createAssemble({ mixer, ffmpeg }), encoders, convertClip };
}
