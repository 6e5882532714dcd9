import type { EncodedPacket, EncodedPacketSink, VideoSample, VideoSampleSink } from 'mediabunny';

type Sinks = { readonly frames: VideoSampleSink; readonly packets: EncodedPacketSink };

/**
 * The frames of a VP8 clip, from the key frame before a place on. VP8 has packets that show nothing: later frames are made from them.
 * Mediabunny gives each decoded frame the time of the next packet, as if every packet showed one, so frames come ever too early
 * (1 second after 20). Here each gets the time of its own packet: VP8 is decoded in the order in which it is shown.
 */
export async function* vp8Frames(place: number, { frames, packets }: Sinks): AsyncGenerator<VideoSample> {
  const first = await packets.getKeyPacket(place, { verifyKeyPackets: true });
  if (!first) return;
  const times = shownTimes(packets.packets(first));
  try {
    for await (const frame of frames.samples(first.timestamp)) {
      const time = await times.next();
      if (!time.done) frame.setTimestamp(time.value);
      yield frame;
    }
  } finally {
    await times.return(undefined);
  }
}

async function* shownTimes(packets: AsyncIterable<EncodedPacket>): AsyncGenerator<number> {
  for await (const { data, timestamp } of packets) if (isShown(data)) yield timestamp;
}

/** Bit 4 of a VP8 frame is `show_frame`: RFC 6386, section 9.1. */
const isShown = ([head = SHOW_FRAME]: Uint8Array) => (head & SHOW_FRAME) !== 0;

const SHOW_FRAME = 0x10;
