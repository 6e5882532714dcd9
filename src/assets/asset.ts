import { z } from 'zod';
import { ASSET_PATH_CHARS } from '../platform/asset-path.ts';

const MB = 1024 * 1024;

export const LIMITS = {
  /** Of one file, in bytes. Pictures and fonts are checked in memory; sounds and clips are streamed. */
  bytes: { image: 32 * MB, svg: MB, font: 16 * MB, audio: 200 * MB, video: 200 * MB },
  /** The largest of them. */
  upload: 200 * MB,
  /** Pixels of a picture, with all frames of an animation. */
  pixels: 64_000_000,
  /** Pixels of a side. */
  side: 16_383,
  /** A file counts as at least so many bytes, so that the quota limits their number too. */
  leastBytes: 4096,
  /** Decoded base64 in a call. */
  base64: 2 * MB,
  pathChars: ASSET_PATH_CHARS,
  tags: 20,
  altChars: 500,
} as const;

export const AssetType = z.enum(['image', 'font', 'audio', 'video']);
export type AssetType = z.output<typeof AssetType>;

/** What is known of the bytes of an asset. */
export type Content = {
  /** In hexadecimal; also the address of the content. */
  readonly sha256: string;
  readonly type: AssetType;
  readonly mediaType: string;
  readonly bytes: number;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
};

/** Where an asset is used: a template with its branches and environments, sample data, or a video template. */
export const AssetUse = z.object({
  kind: z.enum(['template', 'fixture', 'video_template']),
  name: z.string(),
});
export type AssetUse = z.output<typeof AssetUse>;

/** An asset as callers see it. `public_path` starts with a slash. */
export type Asset = {
  readonly id: string;
  readonly path: string;
  readonly type: AssetType;
  readonly media_type: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly sha256: string;
  readonly alt: string;
  readonly tags: readonly string[];
  readonly public_path: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at?: string;
};

/** The public address of a content, without the server: `/a/{sha256}/{name}`. */
export function publicPath(sha256: string, path: string): string {
  return `/a/${sha256}/${encodeURIComponent(path.slice(path.lastIndexOf('/') + 1))}`;
}

/** Where the bytes of a content are. */
export const blobKey = (accountId: string, sha256: string): string => `assets/${accountId}/${sha256}`;
