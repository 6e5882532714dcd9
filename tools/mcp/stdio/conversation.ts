import { setTimeout as delay } from 'node:timers/promises';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { Fault } from '../../../src/errors.ts';
import { LISTEN_METHOD } from '../subscriptions/listen-method.ts';
import { createFollowing } from './following.ts';
import { createStartNotices } from './start-notices.ts';

/** A server that the conversation is held with: of this process, or of the one that holds the data. */
export type Partner = {
  send(message: JSONRPCMessage): void;
  close(): Promise<void>;
};

export type PartnerEvents = {
  message(message: JSONRPCMessage): void;
  /** It has ended: what it has not answered stays unanswered. */
  closed(): void;
};

export type OpenPartner = (events: PartnerEvents) => Promise<Partner>;

type Parts = {
  /** The client's end. */
  readonly wire: Transport;
  /** Answers introductions and lists at once, and refuses requests with a reason. */
  readonly catalogue: {
    send(message: JSONRPCMessage): void;
    refuse(id: RequestId, fault: Fault): void;
  };
  /** Opens the server that does the work. Called with the first request that needs it, and again after that server ended. */
  readonly open: OpenPartner;
  /** Whether a request that may have been done already can be sent again. */
  readonly isRepeatable: (request: JSONRPCRequest) => boolean;
  readonly faultOf: (error: unknown) => Fault;
};

export type Conversation = {
  /** Resolves when the client has closed its end. */
  readonly closed: Promise<void>;
  /** Ends the partner once it has answered; the next request opens another. */
  leave(): Promise<void>;
  /** Ends the partner, then the conversation. */
  close(): Promise<void>;
};

type Waiting = { readonly request: JSONRPCRequest; readonly isSecond: boolean; sentTo?: number };

/** How long a partner that is left may take for its last answers, in milliseconds. */
const LAST_ANSWERS_MS = 15_000;

const INTRODUCTIONS = ['initialize', 'server/discover', 'ping'];
const LISTS = ['tools/list', 'prompts/list', 'resources/templates/list'];

/**
 * One client's conversation, from the first message to the last. The catalogue answers until a request needs
 * the data; from then on a partner answers, who has been introduced to the client. When a partner ends, reads
 * are asked again of the next one, and other requests without an answer are refused with the reason: none is
 * lost without an error.
 */
export function holdConversation({ wire, catalogue, open, isRepeatable, faultOf }: Parts): Conversation {
  const introduced: { initialize?: JSONRPCRequest; initialized?: JSONRPCNotification } = {};
  const waiting = new Map<RequestId, Waiting>();
  /** What partners asked the client: the id the client sees, to the partner's own. */
  const asked = new Map<RequestId, { readonly epoch: number; readonly id: RequestId }>();
  const notices = createStartNotices(toClient);
  const following = createFollowing();
  const closed = Promise.withResolvers<void>();
  /** Counts partners: what an earlier one still says, or was asked, is not for the present one. */
  let epoch = 0;
  let opening: Promise<Partner> | undefined;
  let present: Partner | undefined;
  let leaving: Promise<void> | undefined;

  wire.onmessage = (message) => {
    if (isJSONRPCRequest(message)) takeRequest(message);
    else if (isJSONRPCNotification(message)) takeNotification(message);
    else takeAnswer(message);
  };
  const { onclose } = wire;
  wire.onclose = () => {
    onclose?.();
    closed.resolve();
  };
  return { closed: closed.promise, leave, close };

  function takeRequest(request: JSONRPCRequest): void {
    if (request.method === 'initialize') introduced.initialize = request;
    if (request.method === LISTEN_METHOD) {
      void startListening(request);
      return;
    }
    following.note(request);
    const isListed = LISTS.includes(request.method) || isFirstPage(request);
    if (INTRODUCTIONS.includes(request.method) || (isListed && !present)) catalogue.send(request);
    else void work({ request, isSecond: false });
  }

  function takeNotification(notification: JSONRPCNotification): void {
    if (notification.method === 'notifications/initialized') introduced.initialized = notification;
    const canceled = notification.method === 'notifications/cancelled' && notification.params?.['requestId'];
    if (following.forget(canceled)) {
      present?.send(notification);
      return;
    }
    const unsent = typeof canceled !== 'string' && typeof canceled !== 'number' ? false : !sent(canceled);
    if (unsent) waiting.delete(canceled as RequestId);
    else (present ?? catalogue).send(notification);
  }

  function sent(id: RequestId): boolean {
    return waiting.get(id)?.sentTo !== undefined;
  }

  /** An answer to what a partner asked the client. */
  function takeAnswer(message: JSONRPCMessage): void {
    const id = 'id' in message ? message.id : undefined;
    const question = id === undefined ? undefined : asked.get(id);
    if (id === undefined || !question) return;
    asked.delete(id);
    if (question.epoch === epoch) present?.send({ ...message, id: question.id } as JSONRPCMessage);
  }

  /** It has no answer, and holds from partner to partner. */
  async function startListening(request: JSONRPCRequest): Promise<void> {
    following.note(request);
    if (present) {
      present.send(request);
      return;
    }
    try {
      await leaving;
      // Sends it with what else is followed.
      opening ??= begin();
      await opening;
    } catch (error) {
      if (!following.forget(request.id)) return;
      faultOf(error);
      toClient({
        jsonrpc: '2.0',
        id: request.id,
        error: { code: -32603, message: 'The data is not available. Listen again later.' },
      });
    }
  }

  async function work(one: Waiting): Promise<void> {
    const { request } = one;
    waiting.set(request.id, one);
    const started = present ? undefined : notices.begin(request);
    try {
      await leaving;
      opening ??= begin();
      const partner = await opening;
      // Canceled while it waited.
      if (waiting.get(request.id) !== one) return;
      one.sentTo = epoch;
      partner.send(request);
    } catch (error) {
      refuse(one, faultOf(error));
    } finally {
      started?.end();
    }
  }

  function refuse({ request }: Waiting, fault: Fault): void {
    if (!waiting.delete(request.id)) return;
    catalogue.refuse(request.id, fault);
    catalogue.send(request);
  }

  async function begin(): Promise<Partner> {
    epoch += 1;
    const mine = epoch;
    const greeting = Promise.withResolvers<void>();
    // Where the partner ends first and no one waits for the greeting any more.
    greeting.promise.catch(() => {});
    const hello = introduced.initialize && { ...introduced.initialize, id: `introduction-${mine}` };
    try {
      const partner = await open({
        message(message) {
          if (mine !== epoch) return;
          if (hello && 'id' in message && message.id === hello.id) greeting.resolve();
          else fromPartner(message, mine);
        },
        closed() {
          greeting.reject(new Fault('unavailable.data_moved'));
          lose(mine);
        },
      });
      if (hello) {
        partner.send(hello);
        await greeting.promise;
        if (introduced.initialized) partner.send(introduced.initialized);
      }
      if (mine !== epoch) throw new Fault('unavailable.data_moved');
      present = partner;
      for (const request of following.requests(mine)) partner.send(request);
      return partner;
    } catch (error) {
      if (mine === epoch) opening = undefined;
      throw error;
    }
  }

  function fromPartner(message: JSONRPCMessage, mine: number): void {
    if (isJSONRPCRequest(message)) {
      const id = `${mine}-${message.id}`;
      asked.set(id, { epoch: mine, id: message.id });
      toClient({ ...message, id });
    } else if (isJSONRPCNotification(message)) {
      if (!notices.isBehind(message) && !following.isRepeated(message))
        toClient(canceledByItsPartner(message, mine));
    } else if ('error' in message && following.forget(message.id)) {
      toClient(message);
    } else if (message.id !== undefined && waiting.delete(message.id)) toClient(message);
  }

  function toClient(message: JSONRPCMessage): void {
    // A client that has gone away is told nothing.
    wire.send(message).catch(() => {});
  }

  /** The partner of that number has ended. */
  function lose(lost: number): void {
    if (lost !== epoch) return;
    epoch += 1;
    opening = undefined;
    present = undefined;
    for (const one of [...waiting.values()].filter(({ sentTo }) => sentTo === lost)) {
      if (isRepeatable(one.request) && !one.isSecond) void work({ request: one.request, isSecond: true });
      else refuse(one, new Fault('unavailable.data_moved'));
    }
    // Where nothing else is asked, the next partner begins for what is followed.
    if (following.isListening() && !leaving) opening ??= reopen();
  }

  function reopen(): Promise<Partner> {
    const next = begin();
    next.catch(() => {});
    return next;
  }

  async function leave(): Promise<void> {
    const partner = await opening?.catch(() => undefined);
    if (!partner) return;
    const done = Promise.withResolvers<void>();
    leaving = done.promise;
    try {
      for (const end = Date.now() + LAST_ANSWERS_MS; [...waiting.keys()].some(sent) && Date.now() < end; )
        await delay(20);
      lose(epoch);
      await partner.close();
    } finally {
      leaving = undefined;
      done.resolve();
      if (following.isListening()) opening ??= reopen();
    }
  }

  async function close(): Promise<void> {
    const partner = await opening?.catch(() => undefined);
    epoch += 1;
    await partner?.close();
    await wire.close();
  }
}

/** The first page of resources has what the catalogue knows. */
function isFirstPage({ method, params }: JSONRPCRequest): boolean {
  return method === 'resources/list' && params?.['cursor'] === undefined;
}

/** A question that its partner takes back has another id for the client. */
function canceledByItsPartner(message: JSONRPCNotification, epoch: number): JSONRPCNotification {
  if (message.method !== 'notifications/cancelled') return message;
  return {
    ...message,
    params: { ...message.params, requestId: `${epoch}-${message.params?.['requestId']}` },
  };
}
