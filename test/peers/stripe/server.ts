import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, createApi, type Reply } from './api.ts';
import { createControls } from './controls.ts';
import { hostedPage } from './hosted.ts';
import type { StripePeer, StripePeerOptions, StripeRequest } from './peer.ts';
import { createStripe } from './stripe.ts';
import { createFaultPlan, troubleAnswer } from './troubles.ts';

/** Stripe's API 2026-10-28.endive on 127.0.0.1, for the real SDK. */
export async function startStripePeer(options: StripePeerOptions = {}): Promise<StripePeer> {
  let url = '';
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  const webhookSecret = options.webhookSecret ?? `whsec_${randomBytes(16).toString('hex')}`;
  const requests: StripeRequest[] = [];
  const violations: string[] = [];
  const troubles = createFaultPlan();
  const stripe = createStripe(options, webhookSecret, () => url);
  const api = createApi(stripe.world, stripe.routes, secretKey, violations);

  /** Nothing where the connection is to be dropped. */
  async function answer(call: Call): Promise<Reply | undefined> {
    const trouble = troubles.next();
    const done = (reply: Reply | undefined): Reply | undefined => {
      const { method, path } = call;
      const params = reply?.params ?? {};
      requests.push({
        method,
        path,
        params,
        idempotencyKey: call.header('idempotency-key'),
        status: reply?.status ?? 0,
      });
      return reply;
    };
    if (trouble && 'status' in trouble)
      return done({ ...troubleAnswer(trouble.status), headers: {}, params: {} });
    if (trouble && 'drops' in trouble && trouble.drops === 'before') return done(undefined);
    const reply = await api(call, async () => {
      if (trouble && 'slowMs' in trouble) await pause(trouble.slowMs);
    });
    return done(trouble && 'drops' in trouble ? undefined : reply);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://peer');
    const method = request.method ?? 'GET';
    const body = await text(request);
    const page = hostedPage(stripe.checkout, method, pathname);
    if (page) {
      const headers = {
        'content-type': page.mediaType ?? 'text/html; charset=utf-8',
        ...(page.location && { location: page.location }),
      };
      return void response.writeHead(page.status, headers).end(page.html);
    }
    const header = (name: string) => [request.headers[name]].flat()[0];
    const reply = await answer({ method, path: pathname, query: search, header, body });
    if (!reply) return void response.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      violations.push(`the peer broke: ${error instanceof Error ? error.stack : String(error)}`);
      response.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on a port has an address with one.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    secretKey,
    webhookSecret,
    requests,
    violations,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const header = (name: string) => request.headers.get(name) ?? undefined;
      const body = await request.text();
      const reply = await answer({ method: request.method, path: pathname, query: search, header, body });
      if (!reply) throw new TypeError('fetch failed');
      const headers = { 'content-type': 'application/json', ...reply.headers };
      return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
    },
    fail: troubles.order,
    ...createControls(stripe),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
