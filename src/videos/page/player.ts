import { prepareStage } from './page.ts';
import { pageClock } from './page-clock.ts';
import { createPlayHead } from './play-head.ts';
import { createControls } from './player-controls.ts';
import type { PreviewOptions, PreviewTrack } from './stage-options.ts';

/** Turns the page of a template into a player: the stage as large as the window allows, with a bar below. */
async function play(options: PreviewOptions): Promise<void> {
  const { width, height, fps, frames } = options;
  const controls = createControls({ fps, frames });
  const stage = await prepareStage({ ...options, plays: true }).catch((error: unknown) => {
    controls.showMessage(String(error));
    throw error;
  });
  const sound = createPreviewSound(options.tracks);
  const head = createPlayHead({
    fps,
    frames,
    // Saved before the page's scripts run: their clock is the time of the video.
    now: pageClock()?.real.now ?? (() => performance.now()),
    nextFrame: pageClock()?.real.requestAnimationFrame ?? ((callback) => requestAnimationFrame(callback)),
    reach: stage.reach,
    changed({ frame, isPlaying }) {
      controls.show({ frame, isPlaying });
      stage.played?.setPlaying(isPlaying);
      sound.follow({ seconds: frame / fps, isPlaying });
    },
  });
  controls.connect(head);
  darken();
  const doubts = [...stage.warnings, ...stage.tooLong.map((text) => `↔ ${text}`), ...options.warnings];
  if (doubts.length > 0) controls.showMessage(`⚠ ${doubts.map(shortened).join(' · ')}`);
  pageClock()?.onFailure((message) => {
    controls.showMessage(`✗ ${shortened(message)}`);
    report(message, options.scriptLines);
  });
  stage.element.addEventListener('click', head.toggle);
  addEventListener('resize', fitWindow);
  fitWindow();

  function fitWindow(): void {
    const room = { width: innerWidth, height: innerHeight - controls.height };
    const scale = Math.min(room.width / width, room.height / height);
    const place = {
      position: 'fixed',
      inset: '0 auto auto 0',
      'transform-origin': '0 0',
      scale: String(scale),
      translate: `${(room.width - width * scale) / 2}px ${(room.height - height * scale) / 2}px`,
    };
    for (const [name, value] of Object.entries(place))
      stage.element.style.setProperty(name, value, 'important');
  }
}

/** The area beside the picture is not part of the template. */
function darken(): void {
  document.documentElement.style.setProperty('background', '#0b0b0d', 'important');
  document.body.style.setProperty('background', 'none', 'important');
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const described = document.querySelector<HTMLMetaElement>('meta[name="video-preview"]');
if (described) await play(JSON.parse(described.content)).finally(announce);

/** What a script says when it fails can be of the template, so only pages of this server hear it. */
function report(message: string, scriptLines: readonly number[] = []): void {
  if (parent === window) return;
  const [, failed = message, line] = /^(.*) \((\d+)\)$/s.exec(message) ?? [];
  const script = scriptLines.findLastIndex((start) => start <= Number(line));
  // The page has other lines than the template: what both have in common are the scripts.
  const place = script < 0 ? {} : { script, line: Number(line) - (scriptLines[script] ?? 0) };
  parent.postMessage({ failed: failed.slice(0, 500), ...place }, location.origin);
}

/** A page that frames the player shows it from now on. It learns nothing else, so anyone may hear it. */
function announce(): void {
  if (parent !== window) parent.postMessage({ ready: true }, '*');
}

type Position = { readonly seconds: number; readonly isPlaying: boolean };

type PreviewSound = {
  /** Plays the sound at a time; silent while paused. */
  follow(position: Position): void;
};

/** Maximum drift between picture and sound in seconds. Below it, the click of a jump would be worse. */
const MAX_DRIFT_SECONDS = 0.25;

/** The tracks of a preview: at their time and volume, without fades and ducking. */
function createPreviewSound(tracks: readonly PreviewTrack[]): PreviewSound {
  const players = tracks.map((track) => {
    const audio = new Audio(track.source);
    audio.loop = track.loop;
    // A page cannot amplify a sound.
    audio.volume = Math.min(1, track.volume);
    audio.playbackRate = track.speed;
    return { audio, track };
  });
  return {
    follow({ seconds, isPlaying }) {
      for (const { audio, track } of players) {
        const { start, from, speed } = track;
        followOne(audio, seconds < start ? -1 : from + (seconds - start) * speed, isPlaying);
      }
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
  if (Math.abs(audio.currentTime - place) > MAX_DRIFT_SECONDS) audio.currentTime = place;
  // A browser may block sound before the first click; the picture plays without it.
  if (audio.paused) audio.play().catch(() => {});
}
