import { readFile } from 'node:fs/promises';
import type { Client } from '@modelcontextprotocol/client';
import { type Browser, type Frame, launch, type Page } from 'puppeteer-core';
import { expect } from 'vitest';
import { FLAGS } from '../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import { silentLog } from '../support/app.ts';

export async function launchBrowser(): Promise<Browser> {
  const { executable, kind, environment } = await resolveBrowser({ log: silentLog });
  return launch({
    executablePath: executable,
    headless: kind === 'shell' ? 'shell' : true,
    pipe: true,
    env: { ...process.env, LANG: 'en_US.UTF-8', ...environment },
    args: ['--no-sandbox', ...FLAGS],
  });
}

export type Look = {
  readonly theme?: 'light' | 'dark';
  readonly locale?: string;
  readonly width?: number;
  readonly variables?: Readonly<Record<string, string>>;
};

type Params = Record<string, unknown>;

export type OpenApp = {
  readonly page: Page;
  /** The document of the app. */
  readonly frame: Frame;
  /** What the app asked of its host, in order: method, and the tool or the address. */
  readonly asked: string[];
  /** Messages of the app to the model. */
  readonly told: Params[];
  /** Requests that left the browser or tried to, except for the host's own page. */
  readonly requests: string[];
  /** What the console said, such as a refusal of the content security policy. */
  readonly console: string[];
  /** Clicks the button with this text. */
  click(text: string): Promise<void>;
  /** The text the person sees. */
  text(): Promise<string>;
  close(): Promise<void>;
};

const HOST_PAGE = readFile(new URL('app-host-page.js', import.meta.url), 'utf8');
const HOST = 'https://host.example/';

/** The policy that the extension asks of a host for an app which declares no outside host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ');

/**
 * Calls a tool as a model would, and shows its app as a host does: in a sandboxed frame with a policy, told of input and
 * result, its calls passed on to the server over the wire.
 */
export async function openApp(
  browser: Browser,
  client: Client,
  tool: string,
  input: Params,
  look: Look = {},
): Promise<OpenApp> {
  const { tools } = await client.listTools();
  const ui = tools.find(({ name }) => name === tool)?._meta?.['ui'] as { resourceUri: string } | undefined;
  if (!ui) throw new Error(`${tool} has no app.`);
  const { contents } = await client.readResource({ uri: ui.resourceUri });
  const html = String((contents[0] as { text: string }).text);
  const result = await client.callTool({ name: tool, arguments: input });

  const asked: string[] = [];
  const told: Params[] = [];
  const requests: string[] = [];
  const said: string[] = [];
  const page = await browser.newPage();
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  await page.setViewport({ width: look.width ?? 800, height: 900 });
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const url = request.url();
    if (url === HOST)
      return void request.respond({
        contentType: 'text/html',
        headers: { 'content-security-policy': POLICY },
        body: '<!doctype html><body style="margin:0"><iframe sandbox="allow-scripts" style="border:0;width:100%"></iframe>',
      });
    if (!url.startsWith('data:')) requests.push(url);
    return void request.abort();
  });
  const answer = async (method: string, params: Params) => {
    asked.push(`${method} ${params['name'] ?? params['uri'] ?? ''}`.trim());
    if (method === 'tools/call')
      return client.callTool({ name: String(params['name']), arguments: params['arguments'] as Params });
    if (method === 'resources/read') return client.readResource({ uri: String(params['uri']) });
    told.push({ method, ...params });
    return {};
  };
  await page.exposeFunction('toServer', async (method: string, params: Params) => {
    try {
      return { result: await answer(method, params) };
    } catch (error) {
      return { error: { code: -32000, message: String(error) } };
    }
  });
  await page.goto(HOST);
  const context = {
    theme: look.theme ?? 'light',
    locale: look.locale ?? 'en-US',
    displayMode: 'inline',
    styles: { variables: look.variables ?? {} },
  };
  await page.evaluate(`${await HOST_PAGE}\nbeHost(${JSON.stringify({ html, input, result, context })})`);
  const frame = page.frames().find((one) => one.parentFrame() === page.mainFrame());
  if (!frame) throw new Error('The host has no frame.');
  await frame.waitForSelector('main[aria-busy="false"] :not(.waiting)', { timeout: 30_000 });
  return {
    page,
    frame,
    asked,
    told,
    requests,
    console: said,
    async click(text) {
      const label = JSON.stringify(text);
      const press = `(() => {
        const button = [...document.querySelectorAll('button')].find((one) => one.textContent === ${label});
        button?.click();
        return button !== undefined;
      })()`;
      await expect.poll(() => frame.evaluate(press), { timeout: 120_000, message: text }).toBe(true);
    },
    text: () => frame.evaluate('document.body.innerText').then(String),
    close: () => page.close(),
  };
}
