import type { PreviewTrack } from './stage-options.ts';

type Position = { readonly seconds: number; readonly isPlaying: boolean };

type PreviewSound = {
  /** Sounds what belongs to a moment, or is silent while nothing plays. */
  follow(position: Position): void;
};

/** More seconds than this between picture and sound are heard; less is not worth the click of a jump. */
const MOST_APART = 0.25;

/** The tracks as they are heard in a preview: at their time and volume, without fades and ducking. */
export function createPreviewSound(tracks: readonly PreviewTrack[]): PreviewSound {
  const players = tracks.map((track) => {
    const audio = new Audio(track.source);
    audio.loop = track.loop;
    // A page can make nothing louder than it was recorded.
    audio.volume = Math.min(1, track.volume);
    return { audio, start: track.start };
  });
  return {
    follow({ seconds, isPlaying }) {
      for (const { audio, start } of players) followOne(audio, seconds - start, isPlaying);
    },
  };
}

function followOne(audio: HTMLAudioElement, local: number, isPlaying: boolean): void {
  const isHeard = isPlaying && local >= 0 && (audio.loop || !(local >= audio.duration));
  if (!isHeard) {
    audio.pause();
    return;
  }
  const place = audio.loop && audio.duration > 0 ? local % audio.duration : local;
  if (Math.abs(audio.currentTime - place) > MOST_APART) audio.currentTime = place;
  // A browser may refuse sound that nobody has asked for by a click: the picture goes on without.
  if (audio.paused) audio.play().catch(() => {});
}
