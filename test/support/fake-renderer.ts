import { execFileSync } from 'node:child_process';
import type { Warning } from '../../src/language.ts';
import type { Composition } from '../../src/videos/composition/composition.ts';
import type { ChunkRequest, RenderSessions } from '../../src/videos/frames/frames.ts';

/** Renders without a browser: chunks are real streams of a test picture, stills are text naming the frame. */
export type FakeRenderer = RenderSessions & {
  /** How many are open, and how many were opened in all. */
  readonly count: { now: number; ever: number };
  /** Every chunk that was asked for, as `from-to`. */
  readonly asked: string[];
};

export type FakeRendererOptions = {
  readonly fingerprint?: () => string;
  /** Called for each chunk, before it is made; may wait, tell progress, or throw. */
  readonly warnings?: readonly Warning[];
  readonly paint?: (request: ChunkRequest, composition: Composition) => Promise<void>;
};

export function createFakeRenderer({
  fingerprint = () => 'fake 1',
  paint = async () => {},
  warnings = [],
}: FakeRendererOptions = {}): FakeRenderer {
  const count = { now: 0, ever: 0 };
  const asked: string[] = [];
  return {
    count,
    asked,
    fingerprint: async () => fingerprint(),
    async open(composition, signal) {
      signal.throwIfAborted();
      count.now++;
      count.ever++;
      return {
        transparent: composition.transparent ?? false,
        warnings,
        async renderChunk(request) {
          const { from, to } = request.span;
          asked.push(`${from}-${to}`);
          await paint(request, composition);
          request.signal.throwIfAborted();
          request.onFrame(to - from);
          const engine = { path: 'canvas', browser: 'Fake/1', encoder: fingerprint() } as const;
          return { bytes: streamOf(composition, to - from), engine, painted: to - from };
        },
        still: async (frame, type) => Buffer.from(`${type} of frame ${frame}`),
        async close() {
          count.now--;
        },
      };
    },
  };
}

const STREAMS = new Map<string, Buffer>();

/** Made by ffmpeg, once for each length and size. */
function streamOf({ width, height, fps }: Composition, frames: number): Buffer {
  const picture = `testsrc=size=${width}x${height}:rate=${fps}`;
  const key = `${picture} ${frames}`;
  const made = STREAMS.get(key) ?? encode(picture, frames);
  STREAMS.set(key, made);
  return made;
}

function encode(picture: string, frames: number): Buffer {
  const input = ['-f', 'lavfi', '-i', picture, '-frames:v', String(frames)];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '0'];
  const format = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4', 'pipe:1'];
  return execFileSync('ffmpeg', ['-v', 'error', ...input, ...codec, ...format], { maxBuffer: 2 ** 26 });
}
