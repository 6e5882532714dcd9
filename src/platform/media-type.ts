import { isSvg, SNIFFED_BYTES } from './guarded-fetch/sniff.ts';

/** Number of first bytes that identify a file. */
export { SNIFFED_BYTES };

/** The media type of a file by its first bytes, never by its name; undefined for an unknown type. */
export async function mediaTypeOf(head: Buffer): Promise<string | undefined> {
  if (isSvg(head)) return 'image/svg+xml';
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(head.subarray(0, SNIFFED_BYTES)))?.mime;
}
