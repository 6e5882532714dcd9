import type { Sound } from './mix-sounds.ts';
import { RATE } from './sound-rate.ts';

/** Decodes an asset, named by its path from the document; undefined when it is no sound. */
export async function decodeSound(source: string): Promise<Sound | undefined> {
  const answer = await fetch(new URL(source, document.baseURI));
  if (!answer.ok) throw new Error(`there is no asset ${source}`);
  const bytes = await answer.arrayBuffer();
  try {
    // Decoding also brings the sound to the rate of the context.
    return soundOf(await inStereo(await new OfflineAudioContext(2, 1, RATE).decodeAudioData(bytes)));
  } catch {
    return undefined;
  }
}

/** A sound of more channels, brought to two. */
async function inStereo(buffer: AudioBuffer): Promise<AudioBuffer> {
  if (buffer.numberOfChannels <= 2) return buffer;
  const context = new OfflineAudioContext(2, buffer.length, RATE);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start();
  return context.startRendering();
}

function soundOf(buffer: AudioBuffer): Sound {
  const left = buffer.getChannelData(0);
  const right = buffer.numberOfChannels > 1 ? buffer.getChannelData(1) : left;
  return {
    length: buffer.length,
    read(from, to) {
      const samples = new Float32Array((to - from) * 2);
      for (let i = from; i < to; i += 1) {
        samples[(i - from) * 2] = left[i] ?? 0;
        samples[(i - from) * 2 + 1] = right[i] ?? 0;
      }
      return samples;
    },
  };
}
