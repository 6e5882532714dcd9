import type { Composition } from '../../composition/composition.ts';

export type SoundRequest = {
  readonly composition: Composition;
  /** The format of the video it is for: AAC for an MP4 where it can be made, else Opus. */
  readonly format: 'mp4' | 'webm';
  /** Where the file is written, an MP4 with one track of sound. */
  readonly path: string;
  readonly signal: AbortSignal;
};

/** The port: makes one sound of all tracks, as long as the video. */
export type SoundMixer = {
  /**
   * Writes the sound, in stereo of 48 kHz.
   * @returns false when there are no tracks: then nothing is written and the video has no sound
   * @throws Fault video_failed.sound, not_configured.encoder; Error when an encoder ended; the signal's reason
   */
  mix(request: SoundRequest): Promise<boolean>;
};
