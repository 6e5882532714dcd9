import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

export const TEMPLATE = 'invoice';
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PEERS = join(ROOT, 'bench/peers');

/** This server as it is deployed: its default log, keys demanded, the template stored over REST. */
export async function startOurs(
  ring: Ring,
  name: string,
  settings: Settings = {},
  root?: string,
): Promise<Contestant> {
  const { url, pid, authorization } = await startOurServer(ring, name, settings, root);
  const bodyFile = keep(ring.folder, 'render.json', { template: TEMPLATE, data });
  return {
    name,
    pid,
    request: { method: 'POST', url: `${url}/v1/render`, bodyFile, headers: { authorization } },
    htmlOf: htmlField,
  };
}

/** The same server asked for PDFs, without and with the structure for screen readers. */
export async function startOurPrinter(
  ring: Ring,
  server: string,
  executablePath: string,
  root?: string,
): Promise<Contestant[]> {
  // One account uses all pages but one, so it has two at a time, as jsreport's pool has two browsers.
  const settings = { PUPPETEER_EXECUTABLE_PATH: executablePath, BROWSER_PAGES: '3' };
  const { url, pid, authorization } = await startOurServer(ring, server, settings, root);
  return [false, true].map((tagged) => {
    const name = tagged ? `${server}-tagged` : server;
    const body = { template: TEMPLATE, format: 'pdf', data, options: { tagged } };
    const bodyFile = keep(ring.folder, `${name}.json`, body);
    const headers = { authorization, accept: 'application/pdf' };
    return { name, pid, request: { method: 'POST', url: `${url}/v1/export`, bodyFile, headers } };
  });
}

/** jsreport's chrome-pdf with its pool of browsers; its PDFs are tagged. */
export async function startJsreportPrinter(ring: Ring, executablePath: string): Promise<Contestant> {
  const files = join(ring.folder, 'jsreport');
  mkdirSync(files);
  const { url, pid } = await startPeer(ring, 'jsreport', 'jsreport-pdf.cjs', files, executablePath);
  const bodyFile = keep(ring.folder, 'report.json', { template: { name: TEMPLATE }, data });
  return { name: 'jsreport', pid, request: { method: 'POST', url: `${url}/api/report`, bodyFile } };
}

type Settings = Readonly<Record<string, string>>;

const UNHURRIED = { perSecond: 1_000_000, burst: 1_000_000 };

/** With the template stored over REST, and one key. `root` is the checkout that is started. */
export async function startOurServer(
  { children, folder, signal }: Ring,
  name: string,
  more: Settings,
  root = ROOT,
) {
  // One account asks for more here than an account may.
  const RATE_LIMITS = JSON.stringify({ read: UNHURRIED, write: UNHURRIED });
  const settings = { PORT: '0', AUTH_MODE: 'required', DATA_DIR: join(folder, name), RATE_LIMITS, ...more };
  const keys = [join(root, 'tools/commands/keys.ts'), 'create', 'bench'];
  const [key = ''] = (await run(process.execPath, keys, settings, signal)).split('\n');
  const child = await children.start(name, [join(root, 'http/main.ts')], settings);
  const authorization = `Bearer ${key}`;
  await createTemplate(child.url, authorization, signal);
  return { ...child, authorization };
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

export function startPeer(
  { children, folder }: Ring,
  name: string,
  script: string,
  ...args: string[]
): Promise<Child> {
  const content = keep(folder, 'content.json', { template: TEMPLATE, source });
  return children.start(name, [resolve(PEERS, script), content, ...args]);
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

export function keep(folder: string, name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function htmlField(reply: string): string {
  return z.object({ html: z.string() }).parse(JSON.parse(reply)).html;
}
