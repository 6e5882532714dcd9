import { decodeSound } from './decode-sound.ts';
import { encodeSound, firstSupported, type MixPackets } from './encode-sound.ts';
import { mixSounds, type Sound, type SoundUse } from './mix-sounds.ts';

export type MixOrder = {
  /** `source` is the path of an asset, from the document. */
  readonly tracks: readonly (SoundUse & { readonly source: string })[];
  readonly seconds: number;
  /** Those the file may hold, the best first, such as `mp4a.40.2`. */
  readonly codecs: readonly string[];
};

/** `unplayable` is the place of the track whose sound cannot be decoded. */
export type MixBegun =
  | { readonly codec: string }
  | { readonly unplayable: number }
  | { readonly unsupported: true };

let current: { next(): Promise<MixPackets> } | undefined;

/** Decodes all sounds and prepares their mix, which `nextSound` then gives out. One at a time. */
export async function beginSound({ tracks, seconds, codecs }: MixOrder): Promise<MixBegun> {
  const codec = await firstSupported(codecs);
  if (!codec) return { unsupported: true };
  const sounds = new Map<string, Sound>();
  for (const [place, { source }] of tracks.entries()) {
    const sound = sounds.get(source) ?? (await decodeSound(source));
    if (!sound) return { unplayable: place };
    sounds.set(source, sound);
  }
  const used = tracks.flatMap((use) => {
    const sound = sounds.get(use.source);
    return sound ? [{ sound, use }] : [];
  });
  current = encodeSound(mixSounds(used, seconds), codec);
  return { codec };
}

/** The next 30 seconds, encoded. */
export async function nextSound(): Promise<MixPackets> {
  if (!current) throw new Error('no sound was begun');
  const packets = await current.next();
  if (packets.done) current = undefined;
  return packets;
}
