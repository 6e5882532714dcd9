import { Fault, type FaultDetail } from '../../errors.ts';
import { AudioTrack, LIMITS } from '../request.ts';
import type { Track } from './composition.ts';
import type { Sound } from './inspect-page.ts';

// HTML attributes and the fields they set.
const NUMBER_FIELDS = {
  'data-start': 'start',
  'data-volume': 'volume',
  'data-fade-in': 'fade_in',
  'data-fade-out': 'fade_out',
} as const;

/**
 * The sounds of a page, then those of the request.
 * @throws Fault template_invalid.video_sound, template_invalid.video_sounds
 */
export function pageTracks(
  sounds: readonly Sound[],
  asked: readonly AudioTrack[],
  loc: FaultDetail['loc'],
): Track[] {
  // An element without an address is an option the data did not use.
  const ofPage = sounds
    .filter(({ attributes }) => attributes['src']?.trim())
    .map((one) => parseSound(one, loc));
  const tracks = [...ofPage, ...asked].map(trackOf);
  if (tracks.length <= LIMITS.tracks) return tracks;
  const key = 'template_invalid.video_sounds';
  const params = { count: tracks.length, limit: LIMITS.tracks };
  throw new Fault(key, params, { errors: [{ loc, key, params }] });
}

function parseSound({ attributes, line, col }: Sound, loc: FaultDetail['loc']): AudioTrack {
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
  const key = 'template_invalid.video_sound';
  const params = { attribute, value: (attributes[attribute] ?? '').slice(0, 100), line, col };
  throw new Fault(key, params, { errors: [{ loc, key, params, line, col }] });
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== 'false';
}

function trackOf({ src, start, volume, fade_in, fade_out, loop, duck }: AudioTrack): Track {
  return { source: src, start, volume, fadeIn: fade_in, fadeOut: fade_out, loop, duck };
}
