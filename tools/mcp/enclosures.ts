import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FileOnDisk, NewFile } from '../../src/files/files.ts';
import type { Call } from '../contract/define.ts';
import type { Delivered } from '../contract/delivered.ts';

/** Bytes up to which a file is put into the answer itself; a larger one would choke clients that keep the conversation. */
const EMBED_LIMIT = 1024 * 1024;

type Content = CallToolResult['content'];
export type Enclosures = {
  /** Adds a file to the answer; its bytes are read where it is put into it, and undefined when they are gone. */
  enclose(delivered: Delivered, read: () => Promise<Buffer | undefined>): Promise<void>;
  /** The files so far, as an MCP answer carries them. */
  content(): Content;
};

/** Files of an answer: small images and PDFs in the answer itself, for the model to look at; others as links. */
export function createEnclosures(): Enclosures {
  const content: Content = [];
  let embedded = 0;
  return {
    async enclose(delivered, read) {
      const fits = isSeen(delivered.media_type) && embedded + delivered.bytes < EMBED_LIMIT;
      const bytes = fits ? await read() : undefined;
      if (bytes) embedded += bytes.length;
      content.push(bytes ? embed(bytes, delivered) : link(delivered));
    },
    content: () => content,
  };
}

/** Delivers files, and adds each to the answer. */
export function enclosing(deliver: Call['deliver'], { enclose }: Enclosures): Call['deliver'] {
  return async (file) => {
    const delivered = await deliver(file);
    await enclose(delivered, () => bytesOf(file));
    return delivered;
  };
}

async function bytesOf(file: NewFile | FileOnDisk): Promise<Buffer> {
  if ('path' in file) return readFile(file.path);
  const { buffer, byteOffset, byteLength } = file.bytes;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Of the kinds that a model looks at. A text in here would reach it without marks and without a limit. */
function isSeen(mediaType: string): boolean {
  return mediaType.startsWith('image/') || mediaType === 'application/pdf';
}

function embed(bytes: Buffer, { url, media_type: mimeType }: Delivered): Content[number] {
  const data = bytes.toString('base64');
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  return { type: 'resource', resource: { uri: url, mimeType, blob: data } };
}

function link({ url, filename, media_type, bytes }: Delivered): Content[number] {
  return { type: 'resource_link', uri: url, name: plainName(filename), mimeType: media_type, size: bytes };
}

/** A longer name could say something, and nothing marks it as data here; the text of the answer has it. */
function plainName(filename: string): string {
  return /^[\w.-]{1,40}$/.test(filename) ? filename : `file${extname(filename).replace(/[^\w.]/g, '')}`;
}
