import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Visit } from '../call.ts';
import { kindOf } from '../resources/kinds.ts';
import { TASKS_EXTENSION } from '../tasks/task.ts';
import type { ReadingParts } from '../visit-call.ts';
import { type Follower, follow, TASK_ADDRESS } from './follow.ts';
import { LISTEN_METHOD } from './listen-method.ts';
import { MAX_SUBSCRIPTIONS } from './subscriptions.ts';

const VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';
/** Only as many are looked at as can be followed, however many were sent; one that is too long leads nowhere. */
const addresses = z
  .preprocess((all) => (Array.isArray(all) ? all.slice(0, MAX_SUBSCRIPTIONS) : all), z.array(z.string()))
  .optional();

/** A request to listen; what is not like this, the SDK refuses in the words of the protocol. */
export const ListenRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.literal(LISTEN_METHOD),
  params: z.object({
    _meta: z.looseObject({
      [VERSION_META_KEY]: z.literal('2026-07-28'),
      [CAPABILITIES_META_KEY]: z.looseObject({
        extensions: z.record(z.string(), z.unknown()).optional(),
      }),
    }),
    notifications: z.object({
      resourcesListChanged: z.boolean().optional(),
      resourceSubscriptions: addresses,
      taskIds: addresses,
    }),
  }),
});
export type ListenRequest = z.output<typeof ListenRequest>;

export type Message = { readonly jsonrpc: '2.0' } & Readonly<Record<string, unknown>>;

export type Listening = {
  /** Ends it. @returns What tells the client that there will be no more. */
  end(): Message;
};

type Parts = ReadingParts & {
  readonly version: string;
  /** Hands a message to the client; resolves when it can take more. */
  readonly send: (message: Message) => Promise<void>;
  /** The caller has lost its rights. */
  readonly onEnd: () => void;
};

/**
 * Serves one `subscriptions/listen` of revision 2026-07-28: first says which addresses are honored, then sends
 * their changes, each with the ID of the request. Honored are addresses that exist, that the caller may read
 * and that are within the limit; the rest is left out.
 */
export async function listen(request: ListenRequest, visit: Visit, parts: Parts): Promise<Listening> {
  const { id } = request;
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
  const acknowledged = Promise.withResolvers<void>();
  const tell = async (method: string, params: object = {}) => {
    await acknowledged.promise;
    await parts.send({ jsonrpc: '2.0', method, params: { ...params, _meta } });
  };
  const follower: Follower = follow(parts, visit, {
    onUpdated: async (address) => {
      if (!address.startsWith(TASK_ADDRESS)) return tell('notifications/resources/updated', { uri: address });
      // One that has gone since has nothing to tell.
      const task = await follower.readTask(address).catch(() => undefined);
      if (task) await tell('notifications/tasks', task);
    },
    onListChanged: () => tell('notifications/resources/list_changed'),
    onEnd: parts.onEnd,
  });
  const notifications = await honor(request, follower);
  await parts.send({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications, _meta },
  });
  acknowledged.resolve();
  return {
    end() {
      follower.close();
      const serverInfo = { name: 'stallhand', title: 'Stallhand', version: parts.version };
      const meta = { ..._meta, [SERVER_INFO_META_KEY]: serverInfo };
      return { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: meta } };
    },
  };
}

/** Begins to follow what it can of what was asked for, and says what that is. */
async function honor({ params }: ListenRequest, follower: Follower) {
  const { resourcesListChanged, resourceSubscriptions = [], taskIds = [] } = params.notifications;
  const knowsTasks = params._meta[CAPABILITIES_META_KEY].extensions?.[TASKS_EXTENSION] !== undefined;
  const isAdded = (address: string) =>
    follower.add(address).then(
      () => true,
      () => false,
    );
  const added = async (all: readonly string[], addressOf: (one: string) => string) => {
    const own: string[] = [];
    // One after the other: a client that asks for much waits, and no one else does.
    for (const one of new Set(all)) if (await isAdded(addressOf(one))) own.push(one);
    return own.filter((one) => follower.tells(addressOf(one)));
  };
  const resources = await added(
    resourceSubscriptions.filter((uri) => kindOf(uri) !== undefined),
    (uri) => uri,
  );
  const tasks = knowsTasks ? await added(taskIds, (id) => `${TASK_ADDRESS}${id}`) : [];
  const isListed =
    resourcesListChanged === true &&
    (await follower.addList().then(
      () => true,
      () => false,
    ));
  return {
    ...(isListed && { resourcesListChanged: true }),
    ...(resources.length > 0 && { resourceSubscriptions: resources }),
    ...(tasks.length > 0 && { taskIds: tasks }),
  };
}
