import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeProcessFolder } from '../../platform/process-folder.ts';
import type { ConvertClip } from '../composition/prepare-clip.ts';
import { LIMITS } from '../request.ts';
import type { Ffmpeg } from './ffmpeg.ts';

const TIMEOUT_MS = 5 * 60_000;

/**
 * Converts clips to H.264 with ffmpeg, almost without loss. Every frame keeps its time; rotated ones become
 * upright.
 */
export function createClipConverter(ffmpeg: Ffmpeg | undefined): ConvertClip {
  return async (clip, signal) => {
    if (!ffmpeg?.encoders.has('libx264')) return undefined;
    const folder = await makeProcessFolder('clip');
    const [from, to] = [join(folder, 'clip'), join(folder, 'clip.mp4')];
    try {
      await writeFile(from, clip, { mode: 0o600 });
      await ffmpeg.run(argumentsFor(from, to), { signal, ms: TIMEOUT_MS });
      return await readFile(to);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

// Playlist formats would read other files of this machine, so only self-contained formats are allowed.
const FORMATS = 'mov,matroska';

function argumentsFor(from: string, to: string): string[] {
  return [
    ...['-y', '-protocol_whitelist', 'file', '-format_whitelist', FORMATS, '-threads', '2'],
    ...['-t', String(LIMITS.seconds.max), '-i', `file:${from}`, '-map', '0:v:0', '-map', '0:a:0?'],
    ...['-map_metadata', '-1', '-fps_mode', 'passthrough', '-enc_time_base', '-1'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '14', '-pix_fmt', 'yuv420p', '-threads', '2'],
    ...['-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2', '-g', '60', '-c:a', 'aac', '-b:a', '256k'],
    ...[
      '-fs',
      String(LIMITS.clip.bytes),
      '-fflags',
      '+bitexact',
      '-flags:v',
      '+bitexact',
      '-flags:a',
      '+bitexact',
    ],
    ...['-movflags', '+faststart', '-f', 'mp4', `file:${to}`],
  ];
}
