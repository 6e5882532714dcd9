import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that an API key may be used from. */
export type IpAllowlist = {
  /** `undefined` means a call from this machine. */
  admits(address: string | undefined): boolean;
};

const LOOPBACK = ['127.0.0.1', '::1'];
const MAPPED_BITS = 96;

/** Compiles entries in the form of `canonicalRange`. An empty list admits every address. */
export function createIpAllowlist(entries: readonly string[]): IpAllowlist {
  // One per family: an IPv6 list matches IPv4 in its mapped form, so ::/0 would admit it.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/');
    const family = familyOf(network);
    lists[family].addSubnet(network, Number(bits), family);
  }
  const covers = (address: string) => {
    const plain = plainAddress(address) ?? '';
    const family = familyOf(plain);
    return plain !== '' && lists[family].check(plain, family);
  };
  return {
    admits: (address) =>
      entries.length === 0 || (address === undefined ? LOOPBACK.some(covers) : covers(address)),
  };
}

/**
 * Normalizes an address or CIDR range to `10.0.0.0/8` or `2001:db8::1/128`; IPv4-mapped IPv6 becomes IPv4.
 * Undefined for anything else.
 */
export function canonicalRange(entry: string): string | undefined {
  const [, address = '', , prefix] = /^([0-9a-fA-F.:]+)(\/(\d{1,3}))?$/.exec(entry) ?? [];
  const written = isIP(address);
  if (written === 0) return undefined;
  const bits = prefix === undefined ? widthOf(written) : Number(prefix);
  if (bits > widthOf(written)) return undefined;
  const plain = ipaddr.process(address);
  const isMapped = written === 6 && plain.kind() === 'ipv4';
  if (!isMapped) return networkOf(plain, bits);
  return bits < MAPPED_BITS ? networkOf(ipaddr.parse(address), bits) : networkOf(plain, bits - MAPPED_BITS);
}

/** Normalizes an address and drops its zone; undefined if it is not one. */
export function plainAddress(address: string): string | undefined {
  const [bare = ''] = address.split('%');
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString();
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const range = `${address.toString()}/${bits}`;
  const network = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${network.networkAddressFromCIDR(range).toString()}/${bits}`;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function widthOf(version: number): number {
  return version === 4 ? 32 : 128;
}
