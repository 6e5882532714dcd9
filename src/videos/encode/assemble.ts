import { join as joinPath } from 'node:path';
import type { Composition } from '../composition/composition.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { gif } from './gif.ts';
import { join } from './join.ts';
import type { SoundMixer } from './sound/sound.ts';

type AssembleInput = {
  readonly composition: Composition;
  readonly format: 'mp4' | 'webm' | 'gif';
  /** In order; for a GIF they are MP4. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** An empty folder that the caller removes. */
  readonly folder: string;
  readonly signal: AbortSignal;
};

/**
 * Makes the file of a video. In: the composition and its chunks in order. Out: the path of an MP4, WebM or GIF with
 * its sound. Invariant: frames are not encoded again (except for GIF), and equal chunks make equal bytes.
 * @returns a function that throws Fault video_failed.sound, not_configured.encoder, validation_failed.gif; Error when
 * the chunks do not have the frames of the composition; the signal's reason
 */
export function createAssemble({ mixer, ffmpeg }: { mixer: SoundMixer; ffmpeg: Ffmpeg | undefined }) {
  return async function assemble({ composition, format, chunks, folder, signal }: AssembleInput) {
    const { fps, frames } = composition;
    const film = format === 'webm' ? 'webm' : 'mp4';
    const soundPath = joinPath(folder, 'sound.mp4');
    const sounds =
      format !== 'gif' && (await mixer.mix({ composition, format: film, path: soundPath, signal }));
    const path = joinPath(folder, `video.${film}`);
    const joined = await join({ chunks, sound: sounds ? soundPath : undefined, fps, path, signal });
    if (joined.frames !== frames) throw new Error(`${joined.frames} frames where ${frames} belong`);
    if (format !== 'gif') return { path };
    const drawn = joinPath(folder, 'video.gif');
    await gif(ffmpeg, { from: path, to: drawn, folder, timing: composition, signal });
    return { path: drawn };
  };
}
