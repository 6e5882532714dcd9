import type { EncodedPacket, EncodedPacketSink, VideoSample, VideoSampleSink } from 'mediabunny';

type Sinks = { readonly frames: VideoSampleSink; readonly packets: EncodedPacketSink };

/**
 * The frames of a VP8 clip from the one at a place on. VP8 has packets that show nothing: later frames are made from them.
 * Mediabunny gives each decoded frame the time of the next packet, as if every packet showed one, so frames come ever too early
 * (1 second after 20). Here each gets the time of its own packet: VP8 is decoded in the order in which it is shown.
 */
export async function* vp8Frames(place: number, { frames, packets }: Sinks): AsyncGenerator<VideoSample> {
  const options = { verifyKeyPackets: true };
  const first = (await packets.getKeyPacket(place, options)) ?? (await packets.getFirstKeyPacket(options));
  if (!first) return;
  const times = shownTimes(packets.packets(first));
  let held: VideoSample | undefined;
  try {
    for await (const frame of frames.samples(first.timestamp)) {
      const time = await times.next();
      if (!time.done) frame.setTimestamp(time.value);
      const before = held;
      held = frame;
      // Of the frames up to the place, the last one is shown there.
      if (frame.timestamp > place) {
        if (before) yield before;
      } else before?.close();
    }
    const last = held;
    held = undefined;
    if (last) yield last;
  } finally {
    held?.close();
    await times.return(undefined);
  }
}

async function* shownTimes(packets: AsyncIterable<EncodedPacket>): AsyncGenerator<number> {
  for await (const { data, timestamp } of packets) if (isShown(data)) yield timestamp;
}

/** Bit 4 of a VP8 frame is `show_frame`: RFC 6386, section 9.1. */
const isShown = ([head = SHOW_FRAME]: Uint8Array) => (head & SHOW_FRAME) !== 0;

const SHOW_FRAME = 0x10;
