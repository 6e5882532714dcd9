import { Buffer } from 'node:buffer';
import { EncodedAudioPacketSource, EncodedPacket, FilePathTarget, Mp4OutputFormat, Output } from 'mediabunny';
import { z } from 'zod';
import { Fault } from '../../../errors.ts';
import type { Composition } from '../../composition/composition.ts';
import { RATE } from '../../page/sound/sound-levels.ts';
import { aacSample, createAacSource, loadAacEncoder } from './aac-encoder.ts';
import { unplayableSound } from './ffmpeg-mixer.ts';
import type { SoundMixer, SoundRequest } from './sound.ts';

/** A page with a secure origin that serves the assets under their keys. See `OpenPage` in frames/open-page.ts. */
export type SoundPage = {
  call<T>(
    module: string,
    name: string,
    args: readonly unknown[],
    options: { readonly signal: AbortSignal; readonly ms: number },
  ): Promise<T>;
  close(): Promise<void>;
};

const DECODE_TIMEOUT_MS = 2 * 60_000;
/** For 30 seconds of sound. */
const CALL_TIMEOUT_MS = 60_000;

/** WebCodecs names of AAC-LC and Opus, best first. Samples (`pcm-f32`) are encoded as AAC in this process. */
const CODECS = { mp4: ['mp4a.40.2', 'opus'], webm: ['opus'] } as const;
const CODECS_WITH_AAC = { ...CODECS, mp4: ['mp4a.40.2', 'pcm-f32'] } as const;

/**
 * Decodes, mixes and encodes in a browser, for machines without ffmpeg. Only the decoded sounds are held in memory
 * for the whole time.
 * @param open opens a page with the assets of a composition
 */
export function createPageMixer(
  open: (composition: Composition, signal: AbortSignal) => Promise<SoundPage>,
): SoundMixer {
  return {
    async mix(request) {
      const { composition, signal } = request;
      if (composition.tracks.length === 0) return false;
      // The page of the composition is not needed; it could be slow or run scripts.
      const page = await open({ ...composition, html: EMPTY, scripts: false, captions: [] }, signal);
      try {
        await write(page, request, await startMix(page, request));
        return true;
      } finally {
        await page.close();
      }
    },
  };
}

const EMPTY = '<!doctype html><html><head></head><body><div id="stage"></div></body></html>';

const MixStarted = z.union([
  z.object({ codec: z.string() }),
  z.object({ unplayable: z.int() }),
  z.object({ unsupported: z.literal(true) }),
]);

const Packets = z.object({
  packets: z.array(z.object({ data: z.base64(), timestamp: z.number(), duration: z.number() })),
  description: z.base64().optional(),
  done: z.boolean(),
});

async function startMix(page: SoundPage, { composition, format, signal }: SoundRequest): Promise<string> {
  const { tracks, frames, fps, loudness } = composition;
  const codecs = (await loadAacEncoder()) ? CODECS_WITH_AAC : CODECS;
  const order = { tracks, seconds: frames / fps, loudness, codecs: codecs[format] };
  const begun = MixStarted.parse(
    await page.call(MODULE, 'startSound', [order], { signal, ms: DECODE_TIMEOUT_MS }),
  );
  if ('codec' in begun) return begun.codec;
  if ('unsupported' in begun) throw new Fault('not_configured.encoder');
  const place = begun.unplayable;
  throw unplayableSound({ place, source: tracks[place]?.source ?? '' }, undefined);
}

const MODULE = 'sound/sound.ts';

async function write(page: SoundPage, { path, signal }: SoundRequest, codec: string): Promise<void> {
  const { source, add } = codec === 'pcm-f32' ? sampleSink() : packetSink(codec);
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(path),
  });
  output.addAudioTrack(source);
  await output.start();
  try {
    for await (const batch of packetBatches(page, signal)) await add(batch);
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
}

function sampleSink() {
  const source = createAacSource();
  return {
    source,
    async add({ packets }: PacketBatch): Promise<void> {
      for (const { data, timestamp } of packets) {
        using sample = aacSample(Buffer.from(data, 'base64'), timestamp / 1e6);
        await source.add(sample);
      }
    },
  };
}

function packetSink(codec: string) {
  const source = new EncodedAudioPacketSource(codec === 'opus' ? 'opus' : 'aac');
  return {
    source,
    async add({ packets, description }: PacketBatch): Promise<void> {
      const config = { codec, sampleRate: RATE, numberOfChannels: 2, ...(description && { description }) };
      for (const packet of packetsOf(packets, codec, description))
        await source.add(packet, { decoderConfig: config });
    },
  };
}

type PacketBatch = {
  readonly packets: z.output<typeof Packets>['packets'];
  readonly description: Uint8Array<ArrayBuffer> | undefined;
};

async function* packetBatches(page: SoundPage, signal: AbortSignal): AsyncGenerator<PacketBatch> {
  for (let done = false; !done; ) {
    const answer = Packets.parse(await page.call(MODULE, 'nextSound', [], { signal, ms: CALL_TIMEOUT_MS }));
    const { description } = answer;
    yield {
      packets: answer.packets,
      description: description === undefined ? undefined : new Uint8Array(Buffer.from(description, 'base64')),
    };
    done = answer.done;
  }
}

// The first samples of an Opus decoder are skipped: the mixed sound starts after them.
function* packetsOf(packets: PacketBatch['packets'], codec: string, description: Uint8Array | undefined) {
  const skipped =
    codec === 'opus' && description ? Buffer.from(description).readUInt16LE(PRE_SKIP) / RATE : 0;
  for (const { data, timestamp, duration } of packets) {
    const bytes = new Uint8Array(Buffer.from(data, 'base64'));
    yield new EncodedPacket(bytes, 'key', timestamp / 1e6 - skipped, duration / 1e6);
  }
}

/** Offset of the skip count in the Opus header: after `OpusHead`, version and channel count. */
const PRE_SKIP = 10;
