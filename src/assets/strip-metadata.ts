/**
 * Removes from a picture what says where, when and with what it was taken, and whatever follows its end. The pixels stay as
 * they are, to the byte. In: the bytes of a picture. Out: a picture of the same format; undefined where its structure is
 * broken.
 */
export function stripMetadata(bytes: Buffer, mediaType: string): Buffer | undefined {
  try {
    return STRIPPERS[mediaType]?.(bytes);
  } catch (error) {
    // A length that points past the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const STRIPPERS: Readonly<Record<string, (bytes: Buffer) => Buffer | undefined>> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/apng': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
};

const JPEG = { start: 0xd8, end: 0xd9, scan: 0xda, jfif: 0xe0, icc: 0xe2, adobe: 0xee, comment: 0xfe };

function stripJpeg(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)];
  let at = 2;
  while (at < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    // Any number of these may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === JPEG.end) break;
    const length = bytes.readUInt16BE(at + 2);
    const end = marker === JPEG.scan ? endOfScan(bytes, at + 2 + length) : at + 2 + length;
    if (length < 2 || end > bytes.length) return undefined;
    if (isKept(marker, bytes.subarray(at + 4, end))) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...kept, Buffer.from([0xff, JPEG.end])]);
}

function isKept(marker: number, content: Buffer): boolean {
  if (marker === JPEG.comment) return false;
  if (marker < 0xe0 || marker > 0xef || marker === JPEG.jfif || marker === JPEG.adobe) return true;
  return marker === JPEG.icc && content.toString('latin1', 0, 11) === 'ICC_PROFILE';
}

/** In what was compressed, a marker is one that is followed neither by 0 nor by a restart's number. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

const PNG_SIGNATURE = 8;
const PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs sPLT hIST acTL fcTL fdAT IEND'.split(' '),
);

function stripPng(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, PNG_SIGNATURE)];
  for (let at = PNG_SIGNATURE; at < bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    if (PNG_CHUNKS.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  return undefined;
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Flags of VP8X that announce Exif and XMP. */
const WEBP_METADATA = 0x0c;

function stripWebp(bytes: Buffer): Buffer | undefined {
  const length = Math.min(bytes.length, bytes.readUInt32LE(4) + 8);
  const kept: Buffer[] = [];
  for (let at = 12; at + 8 <= length; ) {
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (at + 8 + size > length) return undefined;
    const type = bytes.toString('latin1', at, at + 4);
    if (WEBP_CHUNKS.has(type)) kept.push(paddedChunk(bytes.subarray(at, end), type));
    at = end;
  }
  if (kept.length === 0) return undefined;
  const body = Buffer.concat(kept);
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

function paddedChunk(chunk: Buffer, type: string): Buffer {
  const padded = chunk.length % 2 === 0 ? Buffer.from(chunk) : Buffer.concat([chunk, Buffer.alloc(1)]);
  if (type === 'VP8X') padded.writeUInt8(padded.readUInt8(8) & ~WEBP_METADATA, 8);
  return padded;
}

const GIF = { image: 0x2c, extension: 0x21, end: 0x3b, control: 0xf9, application: 0xff };
const GIF_HEAD = 13;

function stripGif(bytes: Buffer): Buffer | undefined {
  let at = GIF_HEAD + colorTable(bytes.readUInt8(10));
  const kept = [bytes.subarray(0, at)];
  while (at < bytes.length) {
    const block = bytes.readUInt8(at);
    if (block === GIF.end) break;
    if (block !== GIF.image && block !== GIF.extension) return undefined;
    const first = block === GIF.image ? at + 11 + colorTable(bytes.readUInt8(at + 9)) : at + 2;
    const end = endOfBlocks(bytes, first);
    if (block === GIF.image || isNeeded(bytes.subarray(at, end))) kept.push(bytes.subarray(at, end));
    at = end;
  }
  const hasImage = kept.some((block, index) => index > 0 && block[0] === GIF.image);
  return hasImage ? Buffer.concat([...kept, Buffer.from([GIF.end])]) : undefined;
}

function colorTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes.readUInt8(at); size > 0; size = bytes.readUInt8(at)) at += size + 1;
  return at + 1;
}

/** How a frame is shown, and how often an animation runs. */
function isNeeded(extension: Buffer): boolean {
  const label = extension.readUInt8(1);
  if (label === GIF.control) return true;
  const application = extension.toString('latin1', 3, 14);
  return label === GIF.application && ['NETSCAPE2.0', 'ANIMEXTS1.0'].includes(application);
}
