import type { Blobs, ByteRange, OpenBlob } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import { createVideoStore, type VideoRow } from './store.ts';
import type { VideoFormat } from './video.ts';

export type VideoPart = 'file' | 'poster' | 'captions';

/** Something of a video that may be read; nothing is open yet. `read` answers undefined when its bytes are gone. */
export type OpenedPart = {
  readonly mediaType: string;
  /** Such as `summer-sale.mp4`. */
  readonly filename: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  read(range?: ByteRange): Promise<OpenBlob | undefined>;
};

const MEDIA_TYPES: Readonly<Record<VideoFormat, string>> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  gif: 'image/gif',
  png: 'image/png',
};

/** What of a video is there to be read: undefined when it has no such part, or not yet. */
export async function openPart(
  { sql, blobs }: { readonly sql: Sql; readonly blobs: Blobs },
  { accountId, id }: { readonly accountId: string; readonly id: string },
  part: VideoPart,
): Promise<OpenedPart | undefined> {
  const video = await createVideoStore(sql).find(accountId, id);
  const kept = video?.files?.[part];
  if (!video || !kept) return undefined;
  const { key, bytes, sha256 } = kept;
  return { ...kindOf(video, part), bytes, sha256, read: (range) => blobs.open(key, range) };
}

function kindOf({ title, format }: VideoRow, part: VideoPart) {
  const name = slug(title) || 'video';
  switch (part) {
    case 'file':
      return { mediaType: MEDIA_TYPES[format], filename: `${name}.${format}` };
    case 'poster':
      return { mediaType: 'image/jpeg', filename: `${name}.jpg` };
    case 'captions':
      return { mediaType: 'text/vtt; charset=utf-8', filename: `${name}.vtt` };
  }
}

/** The title in what every file system and header takes. */
function slug(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}
