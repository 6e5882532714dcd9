import { buffer } from 'node:stream/consumers';
import {
  type ListResourcesResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { App } from '../../../src/app.ts';
import { FAULTS, Fault } from '../../../src/errors.ts';
import { localizeFault } from '../../../src/language.ts';
import type { Visit } from '../call.ts';
import type { Choice } from '../catalog.ts';
import { type CallTool, openVisit, type ReadingParts } from '../visit-call.ts';
import { AFTER_GUIDES, guideOf, guideResources, readGuide } from './guides.ts';
import { kindOf, RESOURCE_KINDS, uriOf } from './kinds.ts';
import { linkedFile } from './linked-file.ts';

/** How many templates a page of the list has. */
const PAGE = 20;

/** Bytes of a file that can be answered: a message is held whole, by both sides. */
const LARGEST = 64 * 1024 * 1024;

/**
 * What a client can read by its address: guides, everything of the account that has an id or a name, and the files that
 * answers link to. Each read calls the tool of its kind, so scopes, limits and accounts are those of tools.
 */
export function offerResources({ server }: McpServer, parts: ReadingParts): void {
  server.registerCapabilities({ resources: {} });
  server.setRequestHandler('resources/list', async ({ params }, ctx) => {
    const { choice, call } = openVisit(parts, ctx);
    return list(params?.cursor, choice, call);
  });
  server.setRequestHandler('resources/templates/list', (_request, ctx) => {
    const { choice } = openVisit(parts, ctx);
    // What the selected tools leave out cannot be read either.
    const kinds = RESOURCE_KINDS.filter(({ tool }) => choice.find(tool) !== undefined);
    const resourceTemplates = kinds.map(({ uriTemplate, name, title, description, mimeType }) => ({
      uriTemplate,
      name,
      title,
      description,
      mimeType,
    }));
    return { resourceTemplates };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const { visit, choice, call } = openVisit(parts, ctx);
    try {
      const read = await readResource(uri, { app: parts.app, choice, visit, call });
      if (read) return read;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // An address with a name that nothing can have leads nowhere either.
      if (error.code !== 'not_found' && error.code !== 'validation_failed') throw protocolError(error, visit);
    }
    throw new ResourceNotFoundError(uri);
  });
}

type Page = { items: { name: string; kind: string; description: string }[]; next_cursor: string | null };

/** The guides, then the templates of the account, by name. */
async function list(
  cursor: string | undefined,
  choice: Choice,
  call: CallTool,
): Promise<ListResourcesResult> {
  const guides = cursor === undefined ? guideResources() : [];
  if (!choice.find('list_templates')) return { resources: guides };
  // A key that may not read templates still reads the guides.
  const from = cursor === undefined || cursor === AFTER_GUIDES ? {} : { cursor };
  const page = await call('list_templates', { limit: PAGE, ...from })
    .then((output) => output as Page)
    .catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'insufficient_scope') return undefined;
      throw error;
    });
  const templates = (page?.items ?? []).map(({ name, kind, description }) => ({
    uri: uriOf('template://{template}@{ref}', { template: name, ref: 'main' }),
    name,
    title: `${kind} ${name}`,
    ...(description !== '' && { description }),
    mimeType: 'text/html',
  }));
  return {
    resources: [...guides, ...templates],
    ...(page?.next_cursor && { nextCursor: page.next_cursor }),
  };
}

type Reading = { readonly app: App; readonly choice: Choice; readonly visit: Visit; readonly call: CallTool };

async function readResource(
  uri: string,
  { app, choice, visit, call }: Reading,
): Promise<ReadResourceResult | undefined> {
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

/** A fault as the protocol's own error: reads have no result that could hold one. */
export function protocolError(fault: Fault, { locale }: Visit): ProtocolError {
  const { detail } = localizeFault(fault, locale);
  const isOurs = FAULTS[fault.code].status >= 500;
  return new ProtocolError(
    isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
    detail,
  );
}
