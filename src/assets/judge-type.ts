import type { AssetType } from './asset.ts';

export type Judged = { readonly type: AssetType; readonly mediaType: string };

/**
 * Formats that email clients, browsers or the video engine can use, by the name that file-type has for them. Everything else
 * is rejected, whatever its name or its Content-Type says.
 */
const FORMATS: Readonly<Record<string, Judged>> = {
  'image/png': { type: 'image', mediaType: 'image/png' },
  'image/apng': { type: 'image', mediaType: 'image/png' },
  'image/jpeg': { type: 'image', mediaType: 'image/jpeg' },
  'image/gif': { type: 'image', mediaType: 'image/gif' },
  'image/webp': { type: 'image', mediaType: 'image/webp' },
  'image/avif': { type: 'image', mediaType: 'image/avif' },
  'font/woff': { type: 'font', mediaType: 'font/woff' },
  'font/woff2': { type: 'font', mediaType: 'font/woff2' },
  'font/ttf': { type: 'font', mediaType: 'font/ttf' },
  'font/otf': { type: 'font', mediaType: 'font/otf' },
  'audio/mpeg': { type: 'audio', mediaType: 'audio/mpeg' },
  'audio/mp4': { type: 'audio', mediaType: 'audio/mp4' },
  'audio/x-m4a': { type: 'audio', mediaType: 'audio/mp4' },
  'audio/aac': { type: 'audio', mediaType: 'audio/aac' },
  'audio/wav': { type: 'audio', mediaType: 'audio/wav' },
  'audio/flac': { type: 'audio', mediaType: 'audio/flac' },
  'audio/ogg': { type: 'audio', mediaType: 'audio/ogg' },
  'audio/ogg; codecs=opus': { type: 'audio', mediaType: 'audio/ogg' },
  'video/mp4': { type: 'video', mediaType: 'video/mp4' },
  'video/x-m4v': { type: 'video', mediaType: 'video/mp4' },
  'video/quicktime': { type: 'video', mediaType: 'video/quicktime' },
  'video/webm': { type: 'video', mediaType: 'video/webm' },
};

export const SVG: Judged = { type: 'image', mediaType: 'image/svg+xml' };

/** The format by the first bytes; undefined for one that is not accepted. `found` comes from `mediaTypeOf`. */
export function judgeType(found: string): Judged | undefined {
  return found === SVG.mediaType ? SVG : FORMATS[found];
}
