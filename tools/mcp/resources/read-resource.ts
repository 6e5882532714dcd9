import { buffer } from 'node:stream/consumers';
import type { ReadResourceResult } from '@modelcontextprotocol/server';
import type { Reading } from '../visit-call.ts';
import { guideOf, readGuide } from './guides.ts';
import { kindOf, MAX_URI_CHARS } from './kinds.ts';
import { linkedFile } from './linked-file.ts';

/** Bytes of a file that can be answered: a message is held whole, by both sides. */
const LARGEST = 64 * 1024 * 1024;

/** The content of a resource; undefined for an unknown address. @throws Fault of the tool that reads it */
export async function readResource(
  uri: string,
  { app, choice, visit, call }: Reading,
): Promise<ReadResourceResult | undefined> {
  if (uri.length > MAX_URI_CHARS) return undefined;
  const guide = guideOf(uri);
  if (guide) return { contents: [{ uri, mimeType: 'text/markdown', text: await readGuide(guide) }] };
  const known = kindOf(uri);
  if (known && choice.find(known.kind.tool)) {
    const { kind, variables } = known;
    // Each kind was written for the output of its tool.
    const output = (await call(kind.tool, kind.input(variables))) as Readonly<Record<string, unknown>>;
    const content = kind.content(output, variables);
    return content && { contents: [{ uri, ...content }] };
  }
  const file = await linkedFile(uri, app, visit.caller);
  const blob = file && file.bytes <= LARGEST ? await file.read() : undefined;
  if (!file || !blob) return undefined;
  const bytes = await buffer(blob.stream);
  const held = isText(file.mediaType) ? { text: bytes.toString('utf8') } : { blob: bytes.toString('base64') };
  return { contents: [{ uri, mimeType: file.mediaType, ...held }] };
}

/** Files of the product that are texts are in UTF-8. */
function isText(mediaType: string): boolean {
  return /^(text\/|application\/(json|x-ndjson)\b)/.test(mediaType);
}

/** Pages of templates whose changes are noticed in the list of resources. */
const MOST_PAGES = 10;

/** What the list of resources shows of the templates. */
export async function listedTemplates({ choice, call }: Reading): Promise<unknown> {
  const listed: unknown[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; choice.find('list_templates') && cursor !== null && page < MOST_PAGES; page += 1) {
    const { items, next_cursor: next } = (await call('list_templates', {
      limit: 200,
      ...(cursor && { cursor }),
    })) as { items: { name: string; kind: string; description: string }[]; next_cursor: string | null };
    listed.push(...items.map(({ name, kind, description }) => [name, kind, description]));
    cursor = next;
  }
  return listed;
}
