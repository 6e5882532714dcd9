import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { canonicalRange, createIpAllowlist } from '../../src/platform/ip-allowlist.ts';

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['2001:db8:40:1::/48', '2001:db8:40::/48'],
  ['::ffff:10.1.2.3', '10.1.2.3/32'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
])('the range %s is kept as %s', (entry, kept) => {
  expect(canonicalRange(entry)).toBe(kept);
});

test.each([
  '',
  'localhost',
  '10.0.0.1/33',
  '::1/129',
  '10.0.0.1/',
  '10.0.0.1/-1',
  '10.0.0.1/8/8',
  '10.0.0',
  '010.0.0.1',
  '0x7f.1',
  'fe80::1%eth0',
  ' 10.0.0.1',
  '10.0.0.1 - 10.0.0.9',
  '2001:db8:::1',
])('%j is no range', (entry) => {
  expect(canonicalRange(entry)).toBeUndefined();
});

test.each([
  [[], '203.0.113.7', true],
  [[], undefined, true],
  [['203.0.113.7/32'], '203.0.113.7', true],
  [['203.0.113.7/32'], '203.0.113.8', false],
  [['203.0.113.7/32'], '::ffff:203.0.113.7', true],
  [['203.0.113.7/32'], '::ffff:cb00:7107', true],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['::/0'], '203.0.113.7', false],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['203.0.113.7/32'], undefined, false],
  [['127.0.0.0/8'], undefined, true],
  [['::1/128'], undefined, true],
  [['0.0.0.0/0'], 'nonsense', false],
])('the whitelist %j and the address %s: %s', (entries, address, admitted) => {
  expect(createIpAllowlist(entries).admits(address)).toBe(admitted);
});

test('a whitelist admits exactly the addresses that one of its ranges covers', () => {
  const near = fc.constantFrom(
    '10.0.0.1',
    '10.0.1.1',
    '10.128.0.1',
    '192.168.1.1',
    '2001:db8::1',
    '2001:db8:0:1::1',
  );
  const address = fc.oneof(near, fc.ipV4(), fc.ipV6());
  const range = fc
    .tuple(address, fc.nat(128))
    .map(([one, bits]) => `${one}/${one.includes(':') ? bits : bits % 33}`);
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 5 }), address, (entries, one) => {
      const ranges = entries.map((entry) => canonicalRange(entry) ?? '');
      const parsed = ipaddr.process(one);
      const covered = ranges.some((text) => {
        const [network, bits] = ipaddr.parseCIDR(text);
        return network.kind() === parsed.kind() && parsed.match(network, bits);
      });
      expect(createIpAllowlist(ranges).admits(one)).toBe(covered);
    }),
  );
});
