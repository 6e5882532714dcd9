import type { Composition } from '../../composition/composition.ts';

export type SoundRequest = {
  readonly composition: Composition;
  /** Format of the video: AAC for an MP4 where it can be encoded, otherwise Opus. */
  readonly format: 'mp4' | 'webm';
  /** Path of the output, an MP4 with one sound track. */
  readonly path: string;
  readonly signal: AbortSignal;
};

/**
 * The port: mixes all tracks into one sound.
 *
 * In: the tracks of a composition. Out: a file with one sound track. Invariant: the sound is as long as the video.
 */
export type SoundMixer = {
  /**
   * Writes the sound in 48 kHz stereo.
   * @returns false when there are no tracks; then no file is written
   * @throws Fault video_failed.sound, not_configured.encoder; Error when an encoder ended; the signal's reason
   */
  mix(request: SoundRequest): Promise<boolean>;
};
