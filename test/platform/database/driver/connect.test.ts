import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { hostsOf } from '../../../../src/platform/database/driver/connect.ts';
import { watchHosts } from '../../../../src/platform/database/driver/watched-hosts.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** What it is asked, it answers with its name. */
async function serve(name: string, answerToSsl?: (socket: Socket) => Socket): Promise<number> {
  const server: Server = createServer((raw) => {
    raw.once('data', (first) => {
      const socket = first.length === 8 && answerToSsl ? answerToSsl(raw) : raw;
      socket.on('data', () => socket.write(name)).on('error', () => {});
      if (socket === raw) socket.write(first.length === 8 ? 'N' : name);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(server);
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function ask(host: string[], port: number[], ssl: string | false): Promise<string> {
  const hosts = watchHosts(hostsOf({ host, port, path: undefined, ssl }));
  opened.push(hosts);
  const { stream: socket } = await hosts.connect();
  opened.push({ close: () => socket.destroy() });
  const answer = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
  socket.write('who are you?');
  return `${await answer}${socket instanceof TLSSocket ? ', encrypted' : ''}`;
}

test('the first host that answers is taken', async () => {
  const [one, two] = [await serve('one'), await serve('two')];
  const closed = await serve('closed');
  opened.pop()?.close();
  expect(await ask(['127.0.0.1', '127.0.0.1'], [one, two], false)).toBe('one');
  expect(await ask(['127.0.0.1', '127.0.0.1'], [closed, two], false)).toBe('two');
  await expect(ask(['127.0.0.1'], [closed], false)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test.each(['prefer', 'allow'])('sslmode=%s does without encryption where there is none', async (ssl) => {
  expect(await ask(['127.0.0.1'], [await serve('plain')], ssl)).toBe('plain');
});

test.each(['require', 'verify-full'])('sslmode=%s does not', async (ssl) => {
  await expect(ask(['127.0.0.1'], [await serve('plain')], ssl)).rejects.toThrow('does not encrypt');
});

test.runIf(hasOpenssl())('with encryption, verify-full asks who answers, require does not', async () => {
  const { key, cert } = selfSigned();
  const port = await serve('secret', (raw) => {
    raw.write('S');
    return new TLSSocket(raw, { isServer: true, key, cert });
  });
  expect(await ask(['127.0.0.1'], [port], 'require')).toBe('secret, encrypted');
  await expect(ask(['127.0.0.1'], [port], 'verify-full')).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function selfSigned() {
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return pair;
}
