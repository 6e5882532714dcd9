import { isSvg, SNIFFED_BYTES } from './guarded-fetch/sniff.ts';

/** So many first bytes say what a file is. */
export { SNIFFED_BYTES };

/** The media type of a file by its first bytes, never by its name; undefined for one that is not known. */
export async function mediaTypeOf(head: Buffer): Promise<string | undefined> {
  if (isSvg(head)) return 'image/svg+xml';
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(head.subarray(0, SNIFFED_BYTES)))?.mime;
}
