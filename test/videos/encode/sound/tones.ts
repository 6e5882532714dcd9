/** What a test sound is: a sine of so many seconds, its peak for each channel; one channel when there is one peak. */
export type Tone = {
  readonly seconds: number;
  readonly peaks: readonly number[];
  readonly hertz?: number;
  readonly rate?: number;
};

/** A tone as a WAV file of 16 bits. */
export function toneWav({ seconds, peaks, hertz = 440, rate = 48_000 }: Tone): Uint8Array {
  const moments = Math.round(seconds * rate);
  const bytes = Buffer.alloc(44 + moments * peaks.length * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(peaks.length, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * peaks.length * 2, 28);
  bytes.writeUInt16LE(peaks.length * 2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(moments * peaks.length * 2, 40);
  for (let i = 0; i < moments * peaks.length; i += 1) {
    const phase = (2 * Math.PI * hertz * Math.floor(i / peaks.length)) / rate;
    bytes.writeInt16LE(Math.round(32_767 * (peaks[i % peaks.length] ?? 0) * Math.sin(phase)), 44 + i * 2);
  }
  return bytes;
}

/** The loudness of each tenth of a second, as the root of the mean square, of left and right in turn. */
export function loudness(samples: Float32Array, channel: 0 | 1): number[] {
  const window = 4_800;
  const found: number[] = [];
  for (let at = 0; at + window <= samples.length / 2; at += window) {
    let sum = 0;
    for (let i = at; i < at + window; i += 1) sum += (samples[i * 2 + channel] ?? 0) ** 2;
    found.push(Math.sqrt(sum / window));
  }
  return found;
}

/**
 * What the left channel of a decoded tone is: seconds at which it begins and ends, its pitch, and its loudness between.
 * An encoder smears a beginning, so the edges are where it is half as loud.
 */
export function measureTone(samples: Float32Array, rate = 48_000) {
  const left = samples.filter((_, i) => i % 2 === 0);
  const peak = left.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const isLoud = (one: number) => Math.abs(one) > peak / 2;
  const [first, last] = [left.findIndex(isLoud), left.findLastIndex(isLoud)];
  const inner = left.subarray(first + rate / 10, last - rate / 10);
  let waves = 0;
  for (let i = 1; i < inner.length; i += 1) if ((inner[i - 1] ?? 0) < 0 && (inner[i] ?? 0) >= 0) waves += 1;
  const power = inner.reduce((sum, one) => sum + one * one, 0) / inner.length;
  return {
    from: first / rate,
    to: last / rate,
    hertz: (waves * rate) / inner.length,
    level: Math.sqrt(power),
  };
}
