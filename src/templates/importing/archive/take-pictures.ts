import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { toAssetPath } from '../../../platform/asset-path.ts';
import type { ImportedAsset } from '../imported-template.ts';
import type { Files } from './archive.ts';
import { PICTURE_ENDINGS } from './limits.ts';

const PICTURE = new RegExp(`\\.(?:${PICTURE_ENDINGS})$`, 'i');
/** A whole value in quotes, which may have spaces; or a part of a list, of a style or of a value without quotes. */
const QUOTED = new RegExp(
  `(["'])([^"'<>]{1,400}?\\.(?:${PICTURE_ENDINGS}))(?=[?#][^"'<>]{0,200}\\1|\\1)`,
  'gi',
);
const PART = new RegExp(`([(=,\\s"'])([^"'()<>,\\s=]{1,400}\\.(?:${PICTURE_ENDINGS}))(?=[)"',\\s>?#])`, 'gi');

/**
 * The pictures and fonts of an archive that its sources show. Rewriting a source puts a reference in the place of each path that
 * leads to one; what no source leads to is not taken.
 */
export function takePictures(files: Files) {
  const taken = new Map<string, ImportedAsset>();

  function referenceTo(written: string, from: string): string | undefined {
    const found = [written, decoded(written)]
      .map((path) => resolve(path, from))
      .find((path) => files.has(path));
    const bytes = found !== undefined && PICTURE.test(found) ? files.get(found) : undefined;
    if (found === undefined || !bytes) return undefined;
    // By its content, so that two imports never replace each other's pictures.
    const path = toAssetPath(`imports/${hash('sha256', bytes).slice(0, 12)}/${posix.basename(found)}`);
    if (path === undefined) return undefined;
    taken.set(found, { path, from: found, read: async () => bytes });
    return `asset:${path}`;
  }

  return {
    /** By their paths in the archive; complete when all sources were rewritten. */
    taken: taken as ReadonlyMap<string, ImportedAsset>,
    rewrite(source: string, from: string): string {
      const replace = (whole: string, before: string, written: string) => {
        const reference = referenceTo(written, from);
        return reference === undefined ? whole : `${before}${reference}`;
      };
      return source.replace(QUOTED, replace).replace(PART, replace);
    },
  };
}

/** A path of the archive; one that starts with a slash starts at its top. */
function resolve(path: string, from: string): string {
  const whole = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path);
  return posix.normalize(whole);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
