const MOST_BYTES = 512 * 1024;

/** JSON of the identity provider, without redirects, up to 512 KiB. */
export async function fetchJson(url: string, signal: AbortSignal, headers = {}): Promise<unknown> {
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json', ...headers },
  });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error(`the identity provider answered ${response.status}`);
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += piece.byteLength;
    if (bytes > MOST_BYTES) throw new Error('the identity provider answered more than 512 KiB');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString()) as unknown;
}
