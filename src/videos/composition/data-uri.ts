type DataUri = { readonly bytes: Buffer; readonly contentType: string };

const PERCENT = 0x25;

/** What a `data:` address holds, as https://fetch.spec.whatwg.org/#data-url-processor reads it; undefined when it is none. */
export function readDataUri(address: string): DataUri | undefined {
  const comma = address.indexOf(',');
  if (!/^data:/i.test(address) || comma < 0) return undefined;
  const head = address.slice('data:'.length, comma).trim();
  const body = percentDecoded(address.slice(comma + 1));
  const [contentType = ''] = head.split(/;\s*base64$/i);
  if (!/;\s*base64$/i.test(head)) return { bytes: body, contentType };
  const text = body.toString('latin1').replace(/[\t\n\f\r ]/g, '');
  if (!/^[a-z0-9+/]*={0,2}$/i.test(text)) return undefined;
  return { bytes: Buffer.from(text, 'base64'), contentType };
}

/** In place, since one address may have millions of percent signs. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] === PERCENT ? bytes.toString('latin1', at + 1, at + 3) : '';
    const isCode = /^[0-9a-f]{2}$/i.test(code);
    bytes[length++] = isCode ? Number.parseInt(code, 16) : (bytes[at] ?? 0);
    if (isCode) at += 2;
  }
  return bytes.subarray(0, length);
}
