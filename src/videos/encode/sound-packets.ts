import {
  type AudioCodec,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  FilePathSource,
  Input,
  MP4,
  WEBM,
} from 'mediabunny';

/** Copies the sound of one file into another, packet by packet. */
export type SoundPackets = {
  readonly source: EncodedAudioPacketSource;
  /** Adds the packets that end before the time, in seconds. */
  addUntil(seconds: number): Promise<void>;
  /** Adds the remaining packets that start before the time, and cuts the last one there. */
  endAt(seconds: number): Promise<void>;
  close(): void;
};

// Timestamps in a file are rounded to its clock.
const ROUNDING_SECONDS = 1e-6;

/**
 * Opens the sound of an MP4 or WebM file to copy it into one of the format. mediabunny reads and writes the packets;
 * only the interleaving with the frames and the cut at the end are done here, since its Conversion takes one input
 * file only.
 * @throws Error when there is no sound
 */
export async function openSound(path: string, format: 'mp4' | 'webm'): Promise<SoundPackets> {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, WEBM] });
  try {
    const track = await input.getPrimaryAudioTrack();
    const decoderConfig = await track?.getDecoderConfig();
    const codec = await track?.getCodec();
    if (!track || !decoderConfig || !codec) throw new Error('the sound of the video has no sound in it');
    const packets = new EncodedPacketSink(track).packets();
    return createSoundPackets({
      input,
      codec,
      decoderConfig,
      packets,
      minTimestamp: format === 'mp4' ? -Infinity : 0,
    });
  } catch (error) {
    input.dispose();
    throw error;
  }
}

type PacketOptions = {
  readonly input: Input;
  readonly codec: AudioCodec;
  readonly decoderConfig: AudioDecoderConfig;
  readonly packets: AsyncGenerator<EncodedPacket, void, unknown>;
  /** A WebM has no negative times, where the packet is that only warms up the decoder. */
  readonly minTimestamp: number;
};

function createSoundPackets({
  input,
  codec,
  decoderConfig,
  packets,
  minTimestamp,
}: PacketOptions): SoundPackets {
  const source = new EncodedAudioPacketSource(codec);
  let next: EncodedPacket | undefined;

  return {
    source,
    async addUntil(seconds) {
      for (
        let packet = await peek();
        packet && endOf(packet) <= seconds + ROUNDING_SECONDS;
        packet = await peek()
      )
        await add(packet, packet.duration);
    },
    async endAt(seconds) {
      for (
        let packet = await peek();
        packet && packet.timestamp < seconds - ROUNDING_SECONDS;
        packet = await peek()
      )
        await add(packet, Math.min(packet.duration, seconds - packet.timestamp));
      await packets.return();
      source.close();
    },
    close: () => input.dispose(),
  };

  async function peek(): Promise<EncodedPacket | undefined> {
    next ??= (await packets.next()).value ?? undefined;
    return next;
  }

  async function add(packet: EncodedPacket, duration: number): Promise<void> {
    next = undefined;
    const timestamp = Math.max(minTimestamp, packet.timestamp);
    const timed = packet.clone({ timestamp, duration: duration - (timestamp - packet.timestamp) });
    await source.add(timed, { decoderConfig });
  }
}

function endOf({ timestamp, duration }: EncodedPacket): number {
  return timestamp + duration;
}
