import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesFrom, say } from '../encode/support.ts';

/** What is seen in every clip of the tests: another picture in each frame, with edges and colors. */
const PICTURE = 'testsrc2=size=128x96:rate=30:duration=2';
/** What cameras write; without it, players guess. */
const BT709 = [
  '-colorspace',
  'bt709',
  '-color_primaries',
  'bt709',
  '-color_trc',
  'bt709',
  '-color_range',
  'tv',
];

/** How ffmpeg makes a clip; the last argument is the name of the file. */
export const CLIPS = {
  'H.264 with B-frames': ['-c:v', 'libx264', '-bf', '3', 'h264.mp4'],
  'H.264 with one key frame': ['-c:v', 'libx264', '-g', '999', 'long.mp4'],
  'H.264 in MOV': ['-c:v', 'libx264', 'clip.mov'],
  'H.264 in fragments': ['-c:v', 'libx264', '-movflags', 'frag_keyframe+empty_moov', 'fragments.mp4'],
  '29.97 frames a second': ['-r', '30000/1001', '-c:v', 'libx264', 'ntsc.mp4'],
  '24 frames a second': ['-r', '24', '-c:v', 'libx264', 'film.mp4'],
  '60 frames a second': ['-r', '60', '-c:v', 'libx264', 'fast.mp4'],
  'a variable frame rate': [
    '-vf',
    "select='not(mod(n,7))+not(mod(n,3))'",
    '-fps_mode',
    'vfr',
    '-c:v',
    'libx264',
    'variable.mp4',
  ],
  VP8: ['-c:v', 'libvpx', '-b:v', '1M', 'vp8.webm'],
  VP9: ['-c:v', 'libvpx-vp9', '-b:v', '1M', '-cpu-used', '8', 'vp9.webm'],
  AV1: ['-c:v', 'libaom-av1', '-cpu-used', '8', '-b:v', '1M', 'av1.mp4'],
  'an odd width': ['-vf', 'scale=100:74,crop=98:74', '-c:v', 'libx264', 'odd.mp4'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ClipName = keyof typeof CLIPS;

/** Makes clips with ffmpeg in a folder that is removed by `close`. */
export async function openClipFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-clips-'));
  return {
    /** @param options of ffmpeg after the picture; the last one is the name of the file */
    async make(options: readonly string[], inputs: readonly string[] = []): Promise<string> {
      const path = join(folder, options.at(-1) ?? '');
      const picture = ['-f', 'lavfi', '-i', PICTURE, ...inputs];
      await say('ffmpeg', '-y', ...picture, '-pix_fmt', 'yuv420p', ...BT709, ...options.slice(0, -1), path);
      return path;
    },
    /** Where a file of that name is. */
    at: (name: string) => join(folder, name),
    /** Options for one of two passes of ffmpeg. */
    pass: (nth: 1 | 2) => ['-pass', String(nth), '-passlogfile', join(folder, 'passes')],
    close: () => rm(folder, { recursive: true }),
  };
}

/** The frames of a file as I420, as ffmpeg decodes them at 30 frames a second. */
export async function decodedBy(path: string, size: { width: number; height: number }, filter = 'fps=30') {
  const planes = ['-vf', filter, '-pix_fmt', 'yuv420p', '-f', 'rawvideo', '-'];
  const bytes = await bytesFrom('-i', path, ...planes);
  const length = (size.width * size.height * 3) / 2;
  return Array.from({ length: bytes.length / length }, (_, i) =>
    bytes.subarray(i * length, (i + 1) * length),
  );
}

/** How many packets of video a file has. */
export async function packetsOf(path: string): Promise<number> {
  const entries = ['-select_streams', 'v', '-count_packets', '-show_entries', 'stream=nb_read_packets'];
  return Number(await say('ffprobe', ...entries, '-of', 'csv=p=0', path));
}

export const readClip = (path: string) => readFile(path);
