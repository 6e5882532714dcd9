export type AssetKind = 'image' | 'font' | 'css' | 'audio' | 'video';

// Formats that every relevant email client or browser shows, by their bytes.
const KINDS: Readonly<Record<string, AssetKind | readonly AssetKind[]>> = {
  'image/png': 'image',
  'image/apng': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
  'font/woff': 'font',
  'font/woff2': 'font',
  'font/ttf': 'font',
  'font/otf': 'font',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/x-m4a': 'audio',
  'audio/aac': 'audio',
  'audio/wav': 'audio',
  'audio/flac': 'audio',
  'audio/ogg': 'audio',
  'audio/ogg; codecs=opus': 'audio',
  // Where a sound is expected, only the sound of a clip is used.
  'video/mp4': ['audio', 'video'],
  'video/x-m4v': ['audio', 'video'],
  'video/quicktime': ['audio', 'video'],
  'video/webm': ['audio', 'video'],
};

// All of these formats can be told from their first bytes; reading no further bounds the work.
export const SNIFFED_BYTES = 4100;

// Declarations, comments and a doctype may come before the element. A doctype that declares entities is rejected.
const SVG =
  /^\uFEFF?\s*(?:(?:<\?[^>]{0,500}>|<!--[^>]{0,1000}-->|<!DOCTYPE\s[^>[]{0,500}>)\s*){0,20}<svg[\s>]/i;

/**
 * Returns the media type of an asset of one of the kinds, by its bytes and never by its name; undefined for anything
 * else.
 */
export async function sniff(
  bytes: Buffer,
  contentType: string,
  kinds: readonly AssetKind[],
): Promise<string | undefined> {
  const served = contentType.split(';', 1)[0]?.trim().toLowerCase();
  // Text formats have no signature: the server's content type must agree with what they look like.
  if (served === 'image/svg+xml') return kinds.includes('image') && isSvg(bytes) ? served : undefined;
  if (served === 'text/css') return kinds.includes('css') && isText(bytes) ? served : undefined;
  const { fileTypeFromBuffer } = await import('file-type');
  const found = (await fileTypeFromBuffer(bytes.subarray(0, SNIFFED_BYTES)))?.mime ?? '';
  return kinds.some((kind) => KINDS[found]?.includes(kind)) ? found : undefined;
}

export function isSvg(bytes: Buffer): boolean {
  return isText(bytes) && SVG.test(bytes.toString('utf8', 0, SNIFFED_BYTES));
}

function isText(bytes: Buffer): boolean {
  return !bytes.subarray(0, SNIFFED_BYTES).includes(0);
}
