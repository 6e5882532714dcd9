import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { Webhook as Verifier } from 'standardwebhooks';
import { createAudit } from '../../src/audit/audit.ts';
import { type Caller, SCOPES } from '../../src/identity/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';
import {
  createGuardedPost,
  type GuardedPostSettings,
  requirePostable,
} from '../../src/platform/guarded-fetch/guarded-post.ts';
import { createServerSecret } from '../../src/platform/server-secret.ts';
import { createWebhookSecrets } from '../../src/webhooks/secrets.ts';
import { createSender, type PresentEvent, type SenderSettings } from '../../src/webhooks/sender.ts';
import { createWebhookStop, createWebhooks } from '../../src/webhooks/webhooks.ts';
import { startTlsServer } from '../platform/guarded-fetch/tls-server.ts';

export type Heard = {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly path: string;
};

/** An HTTPS server that hears events. Every name of example.test leads to it, and it alone may be connected to. */
export async function startReceiver() {
  const heard: Heard[] = [];
  const ok = (res: ServerResponse) => void res.writeHead(204).end();
  const receiver = {
    heard,
    /** How it answers from now on. */
    answer: ok as (res: ServerResponse, one: Heard) => void,
    settings: {} as GuardedPostSettings,
    urlOf: (path: string) => path,
    reset() {
      heard.length = 0;
      receiver.answer = ok;
    },
    close: async () => {},
  };
  const server = await startTlsServer(async (req, res) => {
    const one = { headers: req.headers, body: await text(req), path: req.url ?? '' };
    heard.push(one);
    receiver.answer(res, one);
  });
  receiver.urlOf = (path) => `https://hooks.example.test:${server.port}/${path}`;
  receiver.settings = {
    ca: server.ca,
    isAllowed: (address, port) => address === '127.0.0.1' && port === server.port,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  };
  receiver.close = server.close;
  return receiver;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

type Parts = Partial<SenderSettings> & {
  readonly post?: GuardedPostSettings;
  readonly present?: PresentEvent;
  /** False: it delivers nothing. */
  readonly sending?: boolean;
};

/** The webhooks of one process. */
export async function openWebhooks(
  { sql }: Pick<Database, 'sql'>,
  { post, present, sending = true, ...settings }: Parts,
) {
  const secrets = createWebhookSecrets(createServerSecret({ sql, encryptionKey: undefined }));
  const audit = createAudit(sql);
  const stop = createWebhookStop({ sql, audit });
  const log = pino({ level: 'silent' });
  const posts = { post: createGuardedPost(post), postOnce: createGuardedPost(post) };
  const sender = createSender({ sql, secrets, ...posts, log, stop, ...settings });
  const requireUrl = (url: string) => requirePostable(url, { loopback: false });
  const { list, ...webhooks } = createWebhooks({ sql, secrets, sender, audit, requireUrl });
  const listener = await sql.listen('webhooks', sender.work);
  if (sending) sender.start(present ?? (({ data }) => data));
  return {
    ...webhooks,
    list,
    secrets,
    audit,
    work: sender.work,
    async close(): Promise<void> {
      await sender.close();
      await listener.unlisten();
    },
  };
}

export async function openAccount({ sql }: Pick<Database, 'sql'>, id = 'acc_test'): Promise<Caller> {
  await sql`insert into accounts (id, name) values (${id}, ${id}) on conflict do nothing`;
  return { accountId: id, actor: 'ana', scopes: SCOPES, via: 'api_key' };
}

/** The event, if the message is signed with the secret. */
export function verified(
  secret: string | undefined,
  { headers, body }: Pick<Heard, 'headers' | 'body'>,
): unknown {
  return new Verifier(secret ?? '').verify(body, headers as Record<string, string>);
}
