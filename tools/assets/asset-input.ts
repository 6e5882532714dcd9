import { z } from 'zod';
import { LIMITS } from '../../src/assets/asset.ts';
import { Fault } from '../../src/errors.ts';
import { isAssetPath } from '../../src/platform/asset-path.ts';

export const path = z
  .string()
  .min(1)
  .max(LIMITS.pathChars)
  .meta({ description: 'Path in the library, such as images/logo.png; a file already there is replaced' });

export const id = z.string().min(1).max(LIMITS.pathChars).meta({ description: 'Asset ID (ast_…) or path' });

export const details = {
  alt: z.string().max(LIMITS.altChars).optional().meta({ description: 'Alternative text of an image' }),
  tags: z.array(z.string().min(1).max(50)).max(LIMITS.tags).optional(),
};

export const base64 = z
  .string()
  .max(Math.ceil((LIMITS.base64 * 4) / 3) + 100)
  .optional()
  .meta({ description: 'File of at most 2 MB in base64' });

/** @throws Fault validation_failed.asset_path */
export function requirePath(written: string): string {
  if (!isAssetPath(written)) throw new Fault('validation_failed.asset_path', { path: written });
  return written.normalize('NFC');
}

/** @throws Fault validation_failed.asset_base64, too_large.asset_base64 */
export function decodeBase64(text: string): Buffer {
  const compact = text.replace(/^data:[^,]{0,200};base64,/i, '').replace(/\s+/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact))
    throw new Fault('validation_failed.asset_base64');
  const bytes = Buffer.from(compact, 'base64');
  if (bytes.length > LIMITS.base64)
    throw new Fault('too_large.asset_base64', { limit: LIMITS.base64 / 1024 / 1024 });
  return bytes;
}

/** A picture of one red pixel, for examples. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
