import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import { clearDates } from '../mp4-faststart.ts';
import { decoderSetup, type EncodedChunk, readFrames } from '../read-chunk.ts';
import { joinUnits, splitUnits } from './nal-units.ts';
import { type DecoderSetup, readDecoderSetup } from './parameter-sets.ts';
import { createSkipPictures, readSlice, reorderSlice, type Slice } from './slices.ts';

/**
 * How often the encoder gets a held picture after its first frame. Pictures to which others may refer come every four frames at
 * least, and one of them must be among these; and the encoder gives a picture that stays a better quality, for which it looks
 * five frames ahead.
 */
export const ENCODED_REPEATS = 8;

/**
 * Fills the gaps in a chunk of H.264, in which held pictures were not encoded.
 *
 * In: an MP4 from x264; the `ENCODED_REPEATS` frames before a gap show the same as the one before them. Out: an MP4 in which a
 * frame follows the other. Each added frame is a picture that skips every macroblock: about 70 bytes, decoded as an exact copy of
 * the frame before. Invariant: every other frame is decoded as before, since only its place in the order of display changes.
 * Equal input gives equal bytes; those of chunks with and without gaps join.
 *
 * bits and nal-units read and write the stream's notation, parameter-sets what its slices depend on, slices the headers,
 * skipped-macroblocks the arithmetic code.
 *
 * @throws Error when the stream is not one of x264's profile High
 */
export async function addHeldFrames(mp4: Uint8Array, fps: number): Promise<Uint8Array> {
  const chunk = await readFrames(mp4, fps);
  const setup = readDecoderSetup(decoderSetup(chunk));
  const shown = chunk.frames.map(({ place }) => place).sort((one, other) => one - other);
  const ranks = new Map(shown.map((place, rank) => [place, rank]));
  const pictures = chunk.frames.map(({ packet, place }) => pictureOf(packet, ranks.get(place) ?? 0, setup));
  return write(chunk, setup, withHolds(pictures, holdsOf(shown), setup), fps);
}

/** The pictures `from` to `to` in the order of display show the same, and are to be shown for so many frames `more`. */
type Hold = { readonly from: number; readonly to: number; readonly more: number };

/** @param shown the places of the pictures, in their order */
function holdsOf(shown: readonly number[]): Hold[] {
  return shown.flatMap((place, to) => {
    const more = (shown[to + 1] ?? place + 1) - place - 1;
    return more > 0 ? [{ from: to - ENCODED_REPEATS, to, more }] : [];
  });
}

/** A picture, in the order of decoding. */
type Picture = {
  readonly packet: EncodedPacket;
  readonly units: readonly { readonly bytes: Buffer; readonly slice: Slice | undefined }[];
  /** The first of its slices. */
  readonly slice: Slice;
  /** In the order of display, among the encoded ones. */
  readonly place: number;
};

/** A picture as it is written. */
type Frame = { readonly type: 'key' | 'delta'; readonly units: readonly Buffer[]; readonly place: number };

function pictureOf(packet: EncodedPacket, place: number, { sets, lengthBytes }: DecoderSetup): Picture {
  const units = splitUnits(packet.data, lengthBytes).map((bytes) => ({
    bytes,
    slice: readSlice(bytes, sets),
  }));
  const slice = units.find((unit) => unit.slice)?.slice;
  if (!slice) throw new Error('a packet of the video has no picture in it');
  return { packet, units, slice, place };
}

function* withHolds(
  pictures: readonly Picture[],
  holds: readonly Hold[],
  { sets }: DecoderSetup,
): Generator<Frame> {
  const skipPicture = createSkipPictures(sets);
  const ends = holdEnds(pictures, holds);
  /** Frames added so far, and the frame at which the order of display starts. */
  let added = 0;
  let start = 0;
  for (const [index, picture] of pictures.entries()) {
    const place = picture.place + added;
    if (picture.slice.isStart) start = place;
    const order = 2 * (place - start);
    const units = picture.units.map(({ bytes, slice }) =>
      slice ? reorderSlice(bytes, { ...slice, order }, sets) : bytes,
    );
    yield { type: picture.packet.type, units, place };
    const hold = ends.get(index);
    if (!hold) continue;
    for (let more = 1; more <= hold.more; more++) {
      const at = hold.shown.place + added + more;
      const slice = skipPicture({ order: 2 * (at - start), last: picture.slice, shown: hold.shown.slice });
      yield { type: 'delta', units: [slice], place: at };
    }
    added += hold.more;
  }
}

type HoldEnd = { readonly more: number; readonly shown: Picture };

/**
 * After which picture each hold's frames are added: where all that was decoded is shown before all that is not, and the one shown
 * last is a reference. Of several the last one, which has the best quality.
 */
function holdEnds(pictures: readonly Picture[], holds: readonly Hold[]): Map<number, HoldEnd> {
  const ends: (Picture | undefined)[] = [];
  let shown: Picture | undefined;
  for (const [index, picture] of pictures.entries()) {
    if (!shown || picture.place > shown.place) shown = picture;
    if (shown.place === index && shown.slice.isReference) ends[index] = shown;
  }
  return new Map(
    holds.map(({ from, to, more }) => {
      const index = ends.findLastIndex((one, at) => one && from <= at && at <= to);
      const found = ends[index];
      if (!found) throw new Error('a held frame of the video is nowhere a reference');
      return [index, { more, shown: found }];
    }),
  );
}

async function write(
  { config }: EncodedChunk,
  { widened, lengthBytes }: DecoderSetup,
  frames: Iterable<Frame>,
  fps: number,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  let index = { from: 0, to: 0 };
  const onMoov = ({ length }: Uint8Array, position: number) => {
    index = { from: position, to: position + length };
  };
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false, onMoov }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  const decoderConfig = { ...config, description: widened };
  for (const { type, units, place } of frames) {
    const packet = new EncodedPacket(joinUnits(units, lengthBytes), type, place / fps, 1 / fps);
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  if (!target.buffer) throw new Error('the video was not written');
  const bytes = Buffer.from(target.buffer);
  clearDates(bytes.subarray(index.from, index.to));
  return bytes;
}
