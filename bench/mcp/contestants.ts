import { fileURLToPath } from 'node:url';
import { ask } from '../ask.ts';
import { type Contestant, keep, type Ring, startOurServer, startPeer, TEMPLATE } from '../contestants.ts';
import { data } from '../invoice.ts';

/** A revision of the protocol: one with sessions, or one without. */
type Era = '2025-11-25' | '2026-07-28';
type Server = { readonly name: string; readonly url: string; readonly pid: number; readonly key?: string };
type Method = 'tools/call' | 'tools/list';

const ACCEPT = 'application/json, text/event-stream';
const CLIENT = { name: 'bench', version: '1.0.0' };
const CALL = { name: 'render_template', arguments: { template: TEMPLATE, data } };

/**
 * `tools/call` and `tools/list` of both revisions, of this server and of each SDK's own, and this server's REST route.
 * `before` is another checkout, whose server does the same. Those that do the same work come one after the other.
 */
export async function startAll(ring: Ring, before: string | undefined): Promise<Contestant[]> {
  const ours = await startOurs(ring, 'stallhand');
  const first = { name: 'sdk-1', ...(await startMinimal(ring, 'sdk-1')) };
  const second = { name: 'sdk-2', ...(await startMinimal(ring, 'sdk-2')) };
  const all = [
    restContestant(ring, ours),
    ...(await contestantsOf(ring, ours, '2025-11-25')),
    ...(await contestantsOf(ring, first, '2025-11-25')),
    ...(await contestantsOf(ring, ours, '2026-07-28')),
    ...(await contestantsOf(ring, second, '2026-07-28')),
  ];
  for (const one of all) await assertServes(one, ring.signal);
  if (before !== undefined) all.push(...(await startBefore(ring, before)));
  const workOf = ({ name }: Contestant) => name.slice(name.indexOf(' '));
  return all.toSorted((a, b) => workOf(a).localeCompare(workOf(b)));
}

/** An older checkout may not speak a revision yet: that is told and left out. */
async function startBefore(ring: Ring, root: string): Promise<Contestant[]> {
  const server = await startOurs(ring, 'before', root);
  const all = [restContestant(ring, server)];
  for (const era of ['2025-11-25', '2026-07-28'] as const) {
    try {
      const both = await contestantsOf(ring, server, era);
      for (const one of both) await assertServes(one, ring.signal);
      all.push(...both);
    } catch (error) {
      ring.signal.throwIfAborted();
      console.log(`${root} is not measured in ${era}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return all;
}

async function startOurs(ring: Ring, name: string, root?: string) {
  const { url, pid, authorization } = await startOurServer(ring, name, { MCP_ENABLED: 'true' }, root);
  return { name, url, pid, key: authorization };
}

function restContestant({ folder }: Ring, { name, url, pid, key }: Required<Server>): Contestant {
  const bodyFile = keep(folder, 'rest.json', CALL.arguments);
  const headers = { authorization: key };
  return {
    name: `${name} rest`,
    pid,
    request: { method: 'POST', url: `${url}/v1/render`, bodyFile, headers },
  };
}

async function contestantsOf(ring: Ring, server: Server, era: Era): Promise<Contestant[]> {
  const session = era === '2025-11-25' ? await openSession(server) : undefined;
  return (['tools/call', 'tools/list'] as const).map((method) =>
    contestant(ring, server, { era, method, session }),
  );
}

/** @throws Error where the reply is not what was asked for: the mail, or the list. */
async function assertServes({ name, request }: Contestant, signal: AbortSignal): Promise<void> {
  const reply = (await ask(request, signal)).toString('utf8');
  const holds = name.includes('list') ? '"name":"render_template"' : 'INV-1';
  if (!reply.includes(holds)) throw new Error(`${name} answered: ${reply.slice(0, 500)}`);
}

function startMinimal(ring: Ring, name: string) {
  return startPeer(ring, name, fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
}

type Sent = { readonly era: Era; readonly method: Method; readonly session: string | undefined };

function contestant(ring: Ring, server: Server, { era, method, session }: Sent): Contestant {
  const name = `${server.name} ${method} ${era.slice(0, 4)}`;
  const params = { ...(method === 'tools/call' && CALL), ...(era === '2026-07-28' && { _meta: META }) };
  const bodyFile = keep(
    ring.folder,
    `${name.replaceAll(/\W/g, '-')}.json`,
    message('[<id>]', method, params),
  );
  const headers = {
    ...headersOf(server, era),
    ...(session && { 'mcp-session-id': session }),
    ...(era === '2026-07-28' && { 'mcp-method': method }),
    ...(era === '2026-07-28' && method === 'tools/call' && { 'mcp-name': CALL.name }),
  };
  return { name, pid: server.pid, request: { method: 'POST', url: `${server.url}/mcp`, bodyFile, headers } };
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function headersOf({ key }: Server, era: Era): Record<string, string> {
  return { accept: ACCEPT, 'mcp-protocol-version': era, ...(key && { authorization: key }) };
}

/** Says hello as a client does. @returns the id of the session. */
export async function openSession(server: Server): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
  const headers = { ...headersOf(server, '2025-11-25'), 'content-type': 'application/json' };
  const send = (body: object, more: Record<string, string> = {}) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  const answer = await send(message('hello', 'initialize', params));
  await answer.text();
  const id = answer.headers.get('mcp-session-id');
  if (!id) throw new Error(`${server.name} opened no session: ${answer.status}`);
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': id });
  return id;
}

function message(id: string, method: string, params: object) {
  return { jsonrpc: '2.0', id, method, params };
}
