import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Child, type Children, run } from './children.ts';
import { data, source } from './invoice.ts';
import type { LoadRequest } from './load.ts';

export type Contestant = {
  readonly name: string;
  readonly pid: number;
  readonly request: LoadRequest;
  /** The mail in a reply; absent where nothing is rendered. */
  readonly htmlOf?: (reply: string) => string;
};

/** Where to start contestants, and in which folder to put their files. */
export type Ring = { readonly children: Children; readonly folder: string; readonly signal: AbortSignal };

const TEMPLATE = 'invoice';
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PEERS = join(ROOT, 'bench/peers');

/** This server as it is deployed: its default log, keys demanded, the template stored over REST. */
export async function startOurs(ring: Ring, name: string, databaseUrl?: string): Promise<Contestant> {
  const { children, folder, signal } = ring;
  const settings = {
    PORT: '0',
    AUTH_MODE: 'required',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : { DATA_DIR: join(folder, name) }),
  };
  const keys = [join(ROOT, 'tools/commands/keys.ts'), 'create', 'bench'];
  const [key = ''] = (await run(process.execPath, keys, settings, signal)).split('\n');
  const { url, pid } = await children.start(name, [join(ROOT, 'http/main.ts')], settings);
  const authorization = `Bearer ${key}`;
  await createTemplate(url, authorization, signal);
  const bodyFile = keep(folder, 'render.json', { template: TEMPLATE, data });
  return {
    name,
    pid,
    request: { method: 'POST', url: `${url}/v1/render`, bodyFile, authorization },
    htmlOf: htmlField,
  };
}

export async function startBareHandlebars(ring: Ring): Promise<Contestant> {
  const { url, pid } = await startPeer(ring, 'express-handlebars', 'express-handlebars.mjs');
  const bodyFile = keep(ring.folder, 'render.json', { template: TEMPLATE, data });
  return {
    name: 'express-handlebars',
    pid,
    request: { method: 'POST', url: `${url}/v1/render`, bodyFile },
    htmlOf: htmlField,
  };
}

export async function startBareExpress(ring: Ring): Promise<Contestant> {
  const { url, pid } = await startPeer(ring, 'express-hello', 'express-hello.mjs');
  return { name: 'express-hello', pid, request: { method: 'GET', url: `${url}/hello` } };
}

/** jsreport as it comes, or `trusted`: without its sandbox and its profiler. */
export async function startJsreport(ring: Ring, mode: 'default' | 'trusted'): Promise<Contestant> {
  const name = mode === 'default' ? 'jsreport' : `jsreport-${mode}`;
  const files = join(ring.folder, name);
  mkdirSync(files);
  const { url, pid } = await startPeer(ring, name, 'jsreport.cjs', files, mode);
  const bodyFile = keep(ring.folder, 'report.json', { template: { name: TEMPLATE }, data });
  return {
    name,
    pid,
    request: { method: 'POST', url: `${url}/api/report`, bodyFile },
    htmlOf: (reply) => reply,
  };
}

function startPeer(
  { children, folder }: Ring,
  name: string,
  script: string,
  ...args: string[]
): Promise<Child> {
  const content = keep(folder, 'content.json', { template: TEMPLATE, source });
  return children.start(name, [join(PEERS, script), content, ...args]);
}

async function createTemplate(url: string, authorization: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${url}/v1/templates`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: TEMPLATE, html: source }),
    signal,
  });
  if (!response.ok) throw new Error(`The template was refused: ${response.status} ${await response.text()}`);
}

function keep(folder: string, name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function htmlField(reply: string): string {
  return z.object({ html: z.string() }).parse(JSON.parse(reply)).html;
}
