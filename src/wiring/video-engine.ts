import type { Config } from '../config.ts';
import { createLauncher } from '../platform/browser/launch-browser.ts';
import { resolveBrowser } from '../platform/browser/resolve-browser.ts';
import type { Log } from '../platform/log.ts';
import { createAssemble } from '../videos/encode/assemble.ts';
import { chooseEncoder } from '../videos/encode/choose-encoder.ts';
import { findFfmpeg } from '../videos/encode/ffmpeg.ts';
import { createFfmpegMixer } from '../videos/encode/sound/ffmpeg-mixer.ts';
import { createPageMixer } from '../videos/encode/sound/page-mixer.ts';
import { canvasFrames } from '../videos/frames/canvas-frames.ts';
import { inPageChunk } from '../videos/frames/in-page-chunk.ts';
import { openPage } from '../videos/frames/open-page.ts';
import { createProbe } from '../videos/frames/probe.ts';
import type { Stages } from '../videos/frames/stage.ts';
import { createStages } from '../videos/frames/stages.ts';

export type VideoEngine = {
  readonly stages: Stages;
  readonly assemble: ReturnType<typeof createAssemble>;
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
  const paths = { probe: createProbe(), canvasFrames, inPageChunk };
  const stages = createStages({ findBrowser: resolve, launch, encoder, paths, log });
  return { stages, assemble: createAssemble({ mixer, ffmpeg }) };
}
