import {
  type ListResourcesResult,
  type McpServer,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { Fault } from '../../../src/errors.ts';
import { APP_RESOURCES, readApp } from '../apps/apps.ts';
import { showsApps } from '../apps/shows-apps.ts';
import type { Choice } from '../catalog.ts';
import { offerSubscriptions } from '../subscriptions/offer-subscriptions.ts';
import type { Allowance } from '../subscriptions/subscriptions.ts';
import { answerRead, type CallTool, type ReadingParts } from '../visit-call.ts';
import { AFTER_GUIDES, guideResources } from './guides.ts';
import { RESOURCE_KINDS, uriOf } from './kinds.ts';
import { leadsNowhere } from './leads-nowhere.ts';
import { readResource } from './read-resource.ts';

/** How many templates a page of the list has. */
const PAGE = 20;

/**
 * What a client can read by its address: guides, everything of the account that has an id or a name, and the files that
 * answers link to. Each read calls the tool of its kind, so scopes, limits and accounts are those of tools.
 * In: an address. Out: a list, or what the address shows. Invariant: nothing can be read here that the selected tools
 * would refuse.
 */
export function offerResources(
  mcp: McpServer,
  parts: ReadingParts & { readonly allowance: Allowance },
): void {
  const { server } = mcp;
  const subscriptions = offerSubscriptions(mcp, parts);
  server.setRequestHandler('resources/list', ({ params }, ctx) =>
    answerRead(parts, ctx, async ({ choice, call }) => {
      const listed = await list(params?.cursor, choice, call);
      await subscriptions.listed(ctx);
      const apps = params?.cursor === undefined && showsApps(mcp, ctx) ? APP_RESOURCES : [];
      return { ...listed, resources: [...listed.resources, ...apps] };
    }),
  );
  server.setRequestHandler('resources/templates/list', (_request, ctx) =>
    answerRead(parts, ctx, ({ choice }) => {
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
    }),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }, ctx) =>
    answerRead(parts, ctx, async (reading) => {
      const page = readApp(uri);
      if (page) return page;
      const read = await readResource(uri, reading).catch((error: unknown) => {
        if (!leadsNowhere(error)) throw error;
      });
      if (!read) throw new ResourceNotFoundError(uri);
      return read;
    }),
  );
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
