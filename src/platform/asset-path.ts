/** The longest path of an asset, in characters. */
export const ASSET_PATH_CHARS = 200;

/** Segments of letters, digits, `_`, `-` and `.`, separated by `/`. None starts with a dot. */
const PATH = /^[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._-]*(?:\/[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._-]*)*$/u;
const ASSET_ID = /^ast_[0-9a-z]{1,40}$/;

export function isAssetPath(text: string): boolean {
  const path = text.normalize('NFC');
  return path.length <= ASSET_PATH_CHARS && PATH.test(path) && !ASSET_ID.test(path);
}

/** Makes a path of any file name: characters that a path can't have become `-`. Undefined when nothing remains. */
export function toAssetPath(name: string): string | undefined {
  const segments = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    .map((segment) => segment.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, ''))
    .filter((segment) => segment !== '');
  const path = segments.join('/');
  if (path.length <= ASSET_PATH_CHARS) return isAssetPath(path) ? path : undefined;
  return toAssetPath((segments.at(-1) ?? '').slice(-ASSET_PATH_CHARS));
}
