/** The start of a text in at most `limit` bytes of UTF-8, in whole characters. */
export function cutBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const bytes = Buffer.from(text);
  let end = Math.max(limit, 0);
  while (isInsideCharacter(bytes[end])) end -= 1;
  return bytes.subarray(0, end).toString();
}

/** UTF-8 continues a character with bytes 10xxxxxx. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
