import { Fault, type FaultDetail, type FaultKey } from '../../errors.ts';
import { cutFrames } from '../page/scene-cuts.ts';
import { AudioTrack, LIMITS } from '../request.ts';
import type { Timing, Track } from './composition.ts';
import type { ClipElement, Sound } from './inspect-page.ts';

// HTML attributes and the fields they set.
const NUMBER_FIELDS = {
  'data-start': 'start',
  'data-from': 'from',
  'data-to': 'to',
  'data-speed': 'speed',
  'data-volume': 'volume',
  'data-fade-in': 'fade_in',
  'data-fade-out': 'fade_out',
} as const;

type PageSounds = { readonly sounds: readonly Sound[]; readonly clips: readonly ClipElement[] };

type TrackOptions = {
  /** Sounds of the request, which come last. */
  readonly asked: readonly AudioTrack[];
  readonly timing: Pick<Timing, 'fps' | 'frames'>;
  readonly loc: FaultDetail['loc'];
};

/**
 * The sounds of a page, those of its clips that are not muted, and those of the request.
 * @throws Fault template_invalid.video_sound, .video_sounds, .video_clip, .video_clips
 */
export function pageTracks({ sounds, clips }: PageSounds, { asked, timing, loc }: TrackOptions): Track[] {
  // An element without an address is an option the data did not use.
  const shown = clips.filter(hasSource);
  if (shown.length > LIMITS.clips)
    throw tooMany('template_invalid.video_clips', shown.length, LIMITS.clips, loc);
  const ofClips = shown.flatMap((clip) => {
    const track = trackOf(parseElement(clip, 'template_invalid.video_clip', loc));
    return isOn(clip.attributes['muted']) ? [] : [inScene(track, clip, timing)];
  });
  const ofPage = sounds
    .filter(hasSource)
    .map((one) => parseElement(one, 'template_invalid.video_sound', loc));
  const tracks = [...ofPage.map(trackOf), ...ofClips, ...asked.map(trackOf)];
  if (tracks.length <= LIMITS.tracks) return tracks;
  throw tooMany('template_invalid.video_sounds', tracks.length, LIMITS.tracks, loc);
}

function hasSource({ attributes }: Sound): boolean {
  return Boolean(attributes['src']?.trim());
}

function tooMany(key: FaultKey, count: number, limit: number, loc: FaultDetail['loc']): Fault {
  const params = { count, limit };
  return new Fault(key, params, { errors: [{ loc, key, params }] });
}

/** A clip starts with its scene and is not heard after it. */
function inScene(track: Track, { scenes }: ClipElement, { fps, frames }: TrackOptions['timing']): Track {
  const { from, to } = scenes.reduce((whole, share) => cutFrames(whole, share), { from: 0, to: frames });
  const start = track.start + from / fps;
  return {
    ...track,
    start,
    ...(to < frames && { until: to / fps }),
    clip: { delay: 0, duration: 0, zero: 0 },
  };
}

type ElementFault = 'template_invalid.video_sound' | 'template_invalid.video_clip';

function parseElement(
  { attributes, line, col }: Sound,
  key: ElementFault,
  loc: FaultDetail['loc'],
): AudioTrack {
  const numbers = Object.entries(NUMBER_FIELDS).flatMap(([attribute, field]) => {
    const written = attributes[attribute]?.trim();
    return written ? [[field, Number(written)] as const] : [];
  });
  const parsed = AudioTrack.safeParse({
    src: attributes['src']?.trim(),
    ...Object.fromEntries(numbers),
    loop: isOn(attributes['data-loop']) || isOn(attributes['loop']),
    duck: isOn(attributes['data-duck']),
  });
  if (parsed.success) return parsed.data;
  const field = String(parsed.error.issues[0]?.path[0]);
  const attribute = Object.entries(NUMBER_FIELDS).find(([, name]) => name === field)?.[0] ?? 'src';
  const params = { attribute, value: (attributes[attribute] ?? '').slice(0, 100), line, col };
  throw new Fault(key, params, { errors: [{ loc, key, params, line, col }] });
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== 'false';
}

function trackOf({ src, fade_in: fadeIn, fade_out: fadeOut, from, to, speed, ...track }: AudioTrack): Track {
  return {
    ...{ source: src, ...track, fadeIn, fadeOut },
    ...(from !== undefined && from > 0 && { from }),
    ...(to !== undefined && { to }),
    ...(speed !== undefined && speed !== 1 && { speed }),
  };
}
