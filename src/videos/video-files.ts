import { z } from 'zod';
import type { Blobs, ByteRange, OpenBlob } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import { isSameSecret } from '../platform/is-same-secret.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { VideoFormat } from './video.ts';
import { findVideo, type KeptFile, type VideoRow } from './video-repo.ts';

export type VideoPart = 'file' | 'poster' | 'captions';

/** A readable part of a video; nothing is open yet. `read` returns undefined when its bytes are gone. */
type VideoPartSource = {
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

/** Finds a part of a video: undefined when it has no such part, or not yet. */
export async function openPart(
  { sql, blobs }: { readonly sql: Sql; readonly blobs: Blobs },
  { accountId, id }: { readonly accountId: string; readonly id: string },
  part: VideoPart,
): Promise<VideoPartSource | undefined> {
  const video = await findVideo(sql, accountId, id);
  const kept = video?.files?.[part];
  if (!video || !kept) return undefined;
  const { key, bytes, sha256 } = kept;
  return { ...describePart(video, part, kept), bytes, sha256, read: (range) => blobs.open(key, range) };
}

function describePart({ title, format }: VideoRow, part: VideoPart, { mediaType }: KeptFile) {
  const name = slug(title) || 'video';
  switch (part) {
    case 'file':
      return { mediaType: MEDIA_TYPES[format], filename: `${name}.${format}` };
    case 'poster':
      return mediaType
        ? { mediaType, filename: `${name}.png` }
        : { mediaType: 'image/jpeg', filename: `${name}.jpg` };
    case 'captions':
      return { mediaType: 'text/vtt; charset=utf-8', filename: `${name}.vtt` };
  }
}

/** The title in characters that every file system and header accepts. */
function slug(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

type LinkDeps = { readonly sql: Sql; readonly secret: ServerSecret };

export type VideoLinks = ReturnType<typeof createVideoLinks>;

// An ID from a URL may contain what a database cannot store.
const ID = /^vid_\w{1,40}$/;
const Owner = z.object({ account_id: z.string() });

/**
 * Tokens that give access to one video without credentials, such as for a player. They are valid as long as the video
 * exists.
 */
export function createVideoLinks({ sql, secret }: LinkDeps) {
  const tokenOf = (id: string) => secret.mac('video link', id);

  return {
    tokenOf,

    /** Returns the account of the video; undefined for a wrong token or an unknown video. */
    async accountOf(id: string, token: string): Promise<string | undefined> {
      if (!ID.test(id) || !isSameSecret(await tokenOf(id), token)) return undefined;
      const [row] = await sql`
        select v.account_id from videos v join accounts a on a.id = v.account_id
        where v.id = ${id} and a.deleted_at is null`;
      return row && Owner.parse(row).account_id;
    },
  };
}
