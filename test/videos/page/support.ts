import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launch, type Page } from 'puppeteer-core';
import { FLAGS } from '../../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { readEngineFiles } from '../../../src/videos/engine-files.ts';
import type { StageOptions } from '../../../src/videos/page/stage-options.ts';
import { silentLog } from '../../support/app.ts';

type File = {
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly policy?: string | undefined;
};

/** A browser that has only the pages and files it is given, at an origin of their own. */
export async function openTestPages() {
  const files = new Map<string, File>();
  for (const [path, body] of readEngineFiles())
    files.set(`/engine/${path}`, { type: 'text/javascript', body });
  const server = createServer((request, response) => {
    const file = files.get(new URL(request.url ?? '', 'http://here').pathname);
    if (!file) return void response.writeHead(404).end();
    if (file.policy) response.setHeader('content-security-policy', file.policy);
    response.writeHead(200, { 'content-type': file.type, 'access-control-allow-origin': '*' }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address with a port.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { executable, kind, environment } = await resolveBrowser({
    executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
    log: silentLog,
  });
  const browser = await launch({
    executablePath: executable,
    headless: kind === 'shell' ? 'shell' : true,
    pipe: true,
    env: { ...process.env, LANG: 'en_US.UTF-8', ...environment },
    // It may reach this server, unlike the browsers of the product.
    args: ['--no-sandbox', ...FLAGS.filter((flag) => !/prox|resolver/.test(flag))],
  });
  return { origin, files, open, stage, close };

  /** A page whose errors fail the test that waits for it. */
  async function open(html: string, size = { width: 400, height: 200 }, policy?: string): Promise<Page> {
    const path = `/${files.size}/`;
    files.set(path, { type: 'text/html; charset=utf-8', body: html, policy });
    const page = await browser.newPage();
    await page.setViewport(size);
    await page.goto(`${origin}${path}`);
    return page;
  }

  /** A page of 4 seconds with 10 frames each, unless it is said otherwise, whose stage is prepared. */
  async function stage(
    content: string,
    options: Partial<StageOptions> & { scripts?: boolean; head?: string } = {},
  ) {
    const { scripts = false, head = '', ...given } = options;
    const all = { width: 400, height: 200, fps: 10, frames: 40, seed: 1, captions: [], ...given };
    const clock = scripts ? '<script src="/engine/clock.ts"></script>' : '';
    const page = await open(
      `<!doctype html><html lang="en"><head>${clock}${head}</head><body>${content}</body></html>`,
      all,
    );
    // As text: the module loader of the tests would rewrite an import inside a function.
    const warnings = await page.evaluate(
      `import('/engine/page.ts').then(async ({ prepareStage }) => {
        globalThis.stage = await prepareStage(${JSON.stringify(all)});
        return stage.warnings;
      })`,
    );
    return { page, warnings, at, seek, close: () => page.close() };

    /** Goes to a frame and tells what an expression is there. */
    function at(frame: number, expression: string): Promise<unknown> {
      return page.evaluate(`stage.seek(${frame}), ${expression}`);
    }

    /** What `seek` answers for each frame, one after the other. */
    function seek(frames: readonly number[]): Promise<unknown> {
      return page.evaluate(`${JSON.stringify(frames)}.map((frame) => stage.seek(frame))`);
    }
  }

  async function close(): Promise<void> {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The expression that reads a property of the style of the first element a selector finds. */
export const styleOf = (selector: string, property: string, pseudo = '') =>
  `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(pseudo)})[${JSON.stringify(property)}]`;
