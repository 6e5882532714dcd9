import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { newBrowser, newPerson, newProgram, signInAs, WIDE_LIMITS } from '../support/oauth-person.ts';
import { openServedApp } from '../support/served-app.ts';

// Entry: the authorization scenarios of the official suite against the product. The suite prints the address to sign in at; a
// browser without scripts opens it.

const SUITE = import.meta.resolve('@modelcontextprotocol/conformance/package.json');

const app = await openServedApp({ RATE_LIMITS: WIDE_LIMITS });
try {
  const ana = await newPerson(app.url, 'ana');
  const port = await freePort();
  const clientId = await newProgram(app.url).register({
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
  });
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('dist/index.js', SUITE)),
      'authorization',
      ...['--url', app.url],
      ...['--client-id', clientId],
      ...['--resource', `${app.url}/mcp`],
      ...['--port', String(port)],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  let opened = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const address = new RegExp(`${app.url}/oauth/authorize\\?\\S+`).exec(said)?.[0];
    if (address === undefined || opened) return;
    opened = true;
    void decide(address);
  });
  async function decide(address: string): Promise<void> {
    const browser = newBrowser(app.url);
    const consent = await signInAs(browser, await browser.open(address), ana);
    const { url } = await browser.submit(consent, 'action=allow');
    await fetch(url);
  }
  const [code] = await once(child, 'exit');
  process.stdout.write(said);
  process.exitCode = code ?? 1;
} finally {
  await app.close();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
