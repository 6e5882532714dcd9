import { createGuardedFetch, type GuardedFetchSettings } from '../../platform/guarded-fetch/guarded-fetch.ts';
import { LIMITS } from '../request.ts';

/** The longest one file may take, in milliseconds. */
export const FETCH_MS = 15_000;

/** Fetches what videos show and play: larger files than a mail has, with more time. */
export function createVideoFetch(
  settings: Omit<GuardedFetchSettings, 'maxBytes' | 'maxMs' | 'purpose'> = {},
) {
  return createGuardedFetch({
    ...settings,
    maxBytes: LIMITS.asset.bytes,
    maxMs: FETCH_MS,
    purpose: 'images and sounds of videos',
  });
}
