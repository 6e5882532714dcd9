import { expect, test } from 'vitest';
import { isLoopback, nodeAddress } from '../../../src/platform/nodes/node-address.ts';

const LOOPBACK = { address: '127.0.0.1', family: 'IPv4', internal: true } as const;
const IPV4 = { address: '10.0.0.5', family: 'IPv4', internal: false } as const;
const IPV6 = { address: 'fd00::5', family: 'IPv6', internal: false } as const;

test.each([
  ['http://127.0.0.1:8080', { eth0: [IPV4] }, 'http://127.0.0.1:8080'],
  ['http://10.0.0.9:8080', { eth0: [IPV4] }, 'http://10.0.0.9:8080'],
  ['http://0.0.0.0:8080', { lo: [LOOPBACK], eth0: [IPV6, IPV4] }, 'http://10.0.0.5:8080'],
  ['http://[::]:8080', { lo: [LOOPBACK], eth0: [IPV6] }, 'http://[fd00::5]:8080'],
  ['http://0.0.0.0:8080', { lo: [LOOPBACK] }, undefined],
])('a server at %s on a machine with %j is reached at %s', (url, interfaces, address) => {
  expect(nodeAddress(url, interfaces)).toBe(address);
});

test.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'http://127.8.0.1:1'])(
  '%s is of this machine alone',
  (address) => expect(isLoopback(address)).toBe(true),
);

test.each(['http://10.0.0.5:1', 'http://[fd00::5]:1', 'http://127.example.com:1'])(
  '%s is of any machine',
  (address) => expect(isLoopback(address)).toBe(false),
);
