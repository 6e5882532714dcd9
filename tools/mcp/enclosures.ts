import type { CallToolResult } from '@modelcontextprotocol/server';
import type { NewFile } from '../../src/files/files.ts';
import type { Call } from '../contract/define.ts';
import type { Delivered } from '../contract/delivered.ts';

/** Bytes up to which a file is put into the answer itself; a larger one would choke clients that keep the conversation. */
const EMBED_LIMIT = 1024 * 1024;

type Content = CallToolResult['content'];
type Enclosures = Pick<Call, 'deliver'> & {
  /** The files delivered so far, as an MCP answer carries them. */
  content(): Content;
};

/** Files of an answer: pictures to look at and small files in the answer itself, larger ones as links to read. */
export function createEnclosures(deliver: Call['deliver']): Enclosures {
  const content: Content = [];
  let embedded = 0;
  return {
    async deliver(file) {
      const delivered = await deliver(file);
      embedded += file.bytes.length;
      content.push(embedded < EMBED_LIMIT ? embed(file, delivered) : link(delivered));
      return delivered;
    },
    content: () => content,
  };
}

function embed({ bytes, mediaType }: NewFile, { url }: Delivered): Content[number] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType.startsWith('image/'))
    return { type: 'image', data: data.toString('base64'), mimeType: mediaType };
  const isText = mediaType.startsWith('text/');
  const held = isText ? { text: data.toString('utf8') } : { blob: data.toString('base64') };
  return { type: 'resource', resource: { uri: url, mimeType: mediaType, ...held } };
}

function link({ url, filename, media_type, bytes }: Delivered): Content[number] {
  return { type: 'resource_link', uri: url, name: filename, mimeType: media_type, size: bytes };
}
