import { type McpServer, ResourceNotFoundError, type ServerContext } from '@modelcontextprotocol/server';
import { leadsNowhere } from '../resources/leads-nowhere.ts';
import { answerRead, type ReadingParts } from '../visit-call.ts';
import { type Follower, follow } from './follow.ts';
import type { Allowance } from './subscriptions.ts';

/**
 * Subscriptions of revisions before 2026, which last as long as the session: `resources/subscribe`, and news of the list to a
 * session that has read it. Later revisions listen by a stream of their own.
 * @returns Call when a request has listed the resources.
 */
export function offerSubscriptions(
  { server }: McpServer,
  parts: ReadingParts & { readonly allowance: Allowance },
) {
  let follower: Follower | undefined;
  let isOver = false;
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    isOver = true;
    follower?.close();
  };
  const followerOf = (ctx: ServerContext) => {
    const visit = parts.visitOf(ctx);
    follower?.actFor(visit);
    follower ??= follow(parts, visit, {
      // A client that has gone away is told nothing.
      onUpdated: (uri) => server.sendResourceUpdated({ uri }).catch(() => {}),
      onListChanged: () => server.sendResourceListChanged().catch(() => {}),
      onEnd: () => {},
    });
    return follower;
  };
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }, ctx) =>
    answerRead(parts, ctx, async () => {
      await followerOf(ctx)
        .add(uri)
        .catch((error: unknown) => {
          throw leadsNowhere(error) ? new ResourceNotFoundError(uri) : error;
        });
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    follower?.remove(uri);
    return {};
  });
  return {
    async listed(ctx: ServerContext): Promise<void> {
      const isOlder = ctx.mcpReq.envelope === undefined;
      // A key that may not read templates has a list that stays as it is.
      if (isOlder && !isOver)
        await followerOf(ctx)
          .addList()
          .catch(() => {});
    },
  };
}
