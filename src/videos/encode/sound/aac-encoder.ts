import { AudioSample, AudioSampleSource } from 'mediabunny';
import { onceAsync } from '../../../platform/once-async.ts';
import { BITS_A_SECOND, RATE } from '../../page/sound/sound-levels.ts';

/**
 * Registers the AAC encoder of the optional package `@mediabunny/aac-encoder` with mediabunny.
 * @returns false where the package is not installed
 */
export const loadAacEncoder = onceAsync(async (): Promise<boolean> => {
  try {
    const { registerAacEncoder } = await import('@mediabunny/aac-encoder');
    registerAacEncoder();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return false;
    throw error;
  }
});

/** Encodes samples as AAC in this process; needs `loadAacEncoder`. */
export function createAacSource(): AudioSampleSource {
  return new AudioSampleSource({ codec: 'aac', bitrate: BITS_A_SECOND });
}

// The encoder puts these samples before the first one, and does not say so in its times.
const PRIMING_SAMPLES = 1_024;

/**
 * Samples as `createAacSource` takes them.
 * @param bytes 32-bit floats, left and right in turn
 * @param seconds when they are heard
 */
export function aacSample(bytes: Uint8Array, seconds: number): AudioSample {
  return new AudioSample({
    data: bytes,
    format: 'f32',
    numberOfChannels: 2,
    sampleRate: RATE,
    timestamp: seconds - PRIMING_SAMPLES / RATE,
  });
}
