import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { launch } from 'puppeteer-core';
import { createBrowser, type PrintOptions } from '../../../src/platform/browser/browser.ts';
import { silentLog } from '../../support/app.ts';

export const A4: PrintOptions = {
  pageSize: 'A4',
  landscape: false,
  scale: 1,
  margin: { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' },
  background: true,
  tagged: false,
};

/** Never aborted. */
export const patient = { signal: new AbortController().signal };

type Limits = NonNullable<Parameters<typeof createBrowser>[0]['limits']>;

export function openTestBrowser(limits: Limits = {}, pages = 2) {
  return createBrowser({
    executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
    pages,
    log: silentLog,
    limits,
  });
}

export const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Profiles of browsers that stand in the temporary folder. */
export async function profiles(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('stallhand-browser-'));
}

/** Processes of browsers that a process has started, with their command lines. Linux only. */
export async function browserProcesses(starter = process.pid): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(readProcess));
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent === starter || (parent > 1 && isOurs(parent));
  };
  // Not every build names the profile in the command lines of the processes it starts. Debian's is started by a shell script.
  const isBrowser = (command: string) =>
    !/^\S*\/sh /.test(command) && (command.includes('stallhand-browser-') || /--type=/.test(command));
  return all.filter(({ pid, command }) => isBrowser(command) && isOurs(pid));
}

export const renderersOf = (processes: readonly { pid: number; command: string }[]) =>
  processes.filter(({ command }) => command.includes('--type=renderer'));

async function readProcess(pid: number) {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
  const stat = await read('stat');
  return {
    pid,
    command: (await read('cmdline')).replaceAll('\0', ' '),
    parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0),
  };
}

/** Waits until it is so; the test's own time limit ends a wait that is in vain. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

type Plain = {
  readonly executable: string;
  readonly kind: 'shell' | 'full';
  readonly flags?: readonly string[];
};

/** A browser without our precautions, and without Chromium's own against pages that call the local network. */
export function launchControl({ executable: executablePath, kind, flags = [] }: Plain) {
  return launch({
    ...{ executablePath, pipe: true, headless: kind === 'shell' ? 'shell' : true },
    args: [...flags, '--no-sandbox', '--disable-features=LocalNetworkAccessChecks'],
  });
}

/** A server that only remembers what it was asked for. */
export async function startListener() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end('hit');
  });
  server.on('upgrade', (request, socket) => {
    asked.push(request.url ?? '');
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    asked,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
