import type { NetworkInterfaceInfo } from 'node:os';

type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
>;

const EVERY_ADDRESS = new Set(['0.0.0.0', '[::]']);

/** Where other nodes reach a server that listens at `url`; of one on all addresses, at the machine's first one. */
export function nodeAddress(url: string, interfaces: Interfaces): string | undefined {
  const { hostname, port } = new URL(url);
  if (!EVERY_ADDRESS.has(hostname)) return url;
  const outer = Object.values(interfaces).flatMap((all = []) => all.filter(({ internal }) => !internal));
  const { address, family } = outer.find((one) => one.family === 'IPv4') ?? outer[0] ?? {};
  if (address === undefined) return undefined;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Only processes of the same machine reach it. */
export function isLoopback(address: string): boolean {
  return /^(localhost|\[::1\]|127(\.\d+){3})$/.test(new URL(address).hostname);
}
