import { hash } from 'node:crypto';
import { stableJson } from '../../platform/stable-json.ts';
import type { Quality } from '../frames/stage.ts';
import type { VideoFormat } from '../video.ts';
import type { Composition } from './composition.ts';

type HowMade = {
  readonly format: VideoFormat;
  readonly quality: Quality;
  /** The frame that the poster shows. */
  readonly posterFrame: number;
  /** As `Stages.fingerprint`. */
  readonly fingerprint: string;
};

/** Names what a video is made of and how, in hexadecimal: equal ones make the same video. */
export function contentHash(composition: Composition, how: HowMade): string {
  const { assets, ...page } = composition;
  // The key of an asset is the hash of its bytes.
  const files = [...assets].map(([key, { mediaType }]) => `${key} ${mediaType}`).sort();
  return hash('sha256', stableJson({ page, files, how }));
}
