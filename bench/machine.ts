import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { z } from 'zod';
import { version } from '../src/version.ts';

const PEERS = new URL('peers/node_modules/', import.meta.url);
const PEER_PACKAGES = [
  '@jsreport/jsreport-core',
  '@jsreport/jsreport-handlebars',
  '@jsreport/jsreport-chrome-pdf',
  'express',
  'handlebars',
];

const Manifest = z.object({ version: z.string() });

/** False until `npm ci --prefix bench/peers` has run. */
export function peersInstalled(): boolean {
  return PEER_PACKAGES.every(isInstalled);
}

/** What the figures depend on besides the servers; of the peers, those that are installed. */
export function machineFacts() {
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    versions: Object.fromEntries([
      ['stallhand', `${version}${commit()}`],
      ...PEER_PACKAGES.filter(isInstalled).map((name) => [name, peerVersion(name)] as const),
    ]),
  };
}

/** Average number of running processes over the last minute; more than the cores means that others were served too. */
export function loadAverage(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

function isInstalled(name: string): boolean {
  return existsSync(new URL(`${name}/package.json`, PEERS));
}

function peerVersion(name: string): string {
  return Manifest.parse(JSON.parse(readFileSync(new URL(`${name}/package.json`, PEERS), 'utf8'))).version;
}

function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: new URL('..', import.meta.url),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return ` ${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') ? ' with changes' : ''}`;
  } catch {
    return '';
  }
}
