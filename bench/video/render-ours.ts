import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { createLauncher } from '../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import type { Composition } from '../../src/videos/composition/composition.ts';
import { findFfmpeg } from '../../src/videos/encode/ffmpeg.ts';
import { chooseEncoder } from '../../src/videos/encode/ffmpeg-encoder.ts';
import { join } from '../../src/videos/encode/join.ts';
import { canvasFrames } from '../../src/videos/frames/canvas-frames.ts';
import { createProbe } from '../../src/videos/frames/capture-mode.ts';
import type { RenderSession } from '../../src/videos/frames/frames.ts';
import { inPageChunk } from '../../src/videos/frames/in-page-chunk.ts';
import { createRenderSessions } from '../../src/videos/frames/render-sessions.ts';
import { chunkGrid } from '../../src/videos/render/chunks.ts';

// node render-ours.ts <composition> <photo> <seconds> <output> [clip]
// What a worker does for a video once its files are gathered: the same stage, chunks, encoder and joining.
const [, , html = '', photo = '', seconds = '', path = '', clip] = process.argv;
const FPS = 30;
const { signal } = new AbortController();
const log = pino({ level: 'warn' }, pino.destination(2));
const executablePath = process.env['PUPPETEER_EXECUTABLE_PATH'];

const stages = createRenderSessions({
  findBrowser: () => resolveBrowser({ executablePath, log }),
  launch: createLauncher(log),
  encoder: chooseEncoder(await findFfmpeg()),
  modes: { probe: createProbe(), canvasFrames, inPageChunk },
  log,
});
const composition = readComposition();
const stage = await stages.open(composition, signal);
await join({ chunks: chunksOf(stage), fps: FPS, path, signal });
await stage.close();

function readComposition(): Composition {
  const pictures = readAsset(photo, 'image/jpeg');
  const clips = clip === undefined ? undefined : readAsset(clip, 'video/mp4');
  return {
    html: readFileSync(html, 'utf8')
      .replace('{{photo}}', pictures[0])
      .replace('{{clip}}', clips?.[0] ?? ''),
    assets: new Map([pictures, ...(clips ? [clips] : [])]),
    ...{ width: 1080, height: 1920, fps: FPS, frames: Number(seconds) * FPS },
    ...{ scripts: false, tracks: [], captions: [] },
  };
}

function readAsset(path: string, mediaType: string) {
  const bytes = readFileSync(path);
  return [`assets/${createHash('sha256').update(bytes).digest('hex')}`, { bytes, mediaType }] as const;
}

async function* chunksOf(stage: RenderSession): AsyncGenerator<Uint8Array> {
  for (const span of chunkGrid({ from: 0, to: composition.frames }, composition)) {
    const request = { span, format: 'mp4', quality: 'standard', signal, onFrame: () => {} } as const;
    const { bytes, engine } = await stage.renderChunk(request);
    if (engine.path !== 'canvas') throw new Error(`rendered by ${engine.path}: ${engine.reason}`);
    yield bytes;
  }
}
