import type { EncoderOptions } from './frame-encoder.ts';

type StreamOptions = Pick<EncoderOptions, 'width' | 'height' | 'fps' | 'pixels'>;

/**
 * Header of a Matroska stream (RFC 9559) in which each frame has its own time, so that repeats may be left
 * out. Its clock ticks once per frame. Written by hand, since mediabunny cannot write raw I420, MJPEG or PNG frames
 * (V_UNCOMPRESSED, V_MJPEG, V_MS/VFW/FOURCC).
 */
export function streamHeader({ width, height, fps, pixels }: StreamOptions): Buffer {
  const tick = Math.round(1e9 / fps);
  const colorSpace = pixels === 'i420' ? [element('2EB524', 'I420')] : [];
  const video = element('E0', [element('B0', width), element('BA', height), ...colorSpace]);
  const codec = [element('86', CODECS[pixels]), ...(pixels === 'png' ? [pngSetup({ width, height })] : [])];
  const ofTrack = [element('D7', 1), element('73C5', 1), element('83', 1), ...codec, element('23E383', tick)];
  return Buffer.concat([
    element('1A45DFA3', [element('4282', 'matroska'), element('4287', 4), element('4285', 2)]),
    // Unknown length, as for a live stream.
    Buffer.from('1853806701FFFFFFFFFFFFFF', 'hex'),
    element('1549A966', [element('2AD7B1', tick)]),
    element('1654AE6B', [element('AE', [...ofTrack, video])]),
  ]);
}

const CODECS = { i420: 'V_UNCOMPRESSED', jpeg: 'V_MJPEG', png: 'V_MS/VFW/FOURCC' } as const;

/** Matroska has no name of its own for PNG: it is the one of AVI, in the header of a Windows bitmap. */
function pngSetup({ width, height }: Pick<StreamOptions, 'width' | 'height'>): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(header.length, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  header.write('MPNG', 16, 'latin1');
  return element('63A2', [header]);
}

/** Header of one frame, which is shown from that frame of the stream on. */
export function pictureHeader(frame: number, bytes: number): Buffer {
  // Block of track 1 at the time of its cluster, as a key frame.
  const block = Buffer.from([0x81, 0, 0, 0x80]);
  const time = element('E7', frame);
  const simpleBlock = Buffer.concat([elementHeader('A3', block.length + bytes), block]);
  return Buffer.concat([
    elementHeader('1F43B675', time.length + simpleBlock.length + bytes),
    time,
    simpleBlock,
  ]);
}

function element(id: string, content: number | string | readonly Buffer[]): Buffer {
  const bytes = contentOf(content);
  return Buffer.concat([elementHeader(id, bytes.length), bytes]);
}

function contentOf(content: number | string | readonly Buffer[]): Buffer {
  if (typeof content === 'string') return Buffer.from(content, 'latin1');
  if (typeof content !== 'number') return Buffer.concat(content);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(content));
  return bytes;
}

/** @param id in hexadecimal digits */
function elementHeader(id: string, length: number): Buffer {
  // An 8-byte size starts with the bit pattern 00000001.
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size]);
}
