import { expect, test } from 'vitest';
import type { AssetBlocked } from '../../../src/platform/guarded-fetch/asset-blocked.ts';
import { createGuardedFetch } from '../../../src/platform/guarded-fetch/guarded-fetch.ts';
import { isPublicAddress } from '../../../src/platform/guarded-fetch/resolve-host.ts';

const reasonOf = (url: string, answers: readonly string[] = []): Promise<unknown> => {
  const lookup = async () => answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const { fetchAsset } = createGuardedFetch({ lookup });
  return fetchAsset(url, { kinds: ['image'], signal: new AbortController().signal }).then(
    () => 'fetched',
    (error: AssetBlocked) => error.reason,
  );
};

test.each([
  // This machine, in every spelling the parser of addresses knows.
  'https://127.0.0.1/a.png',
  'https://127.1/a.png',
  'https://127.0.1/a.png',
  'https://2130706433/a.png',
  'https://0x7f000001/a.png',
  'https://0x7f.0.0.1/a.png',
  'https://0x7f.1/a.png',
  'https://0177.0.0.1/a.png',
  'https://017700000001/a.png',
  'https://127.000.000.001/a.png',
  'https://127.0.0.1./a.png',
  'https://%31%32%37.0.0.1/a.png',
  'https://１２７.０.０.１/a.png',
  'https://127。0。0。1/a.png',
  'https:127.0.0.1/a.png',
  'https:\\\\127.0.0.1\\a.png',
  'https://127.0.0.1:443/a.png',
  'https://localhost/a.png',
  'https://LOCALHOST/a.png',
  'https://localhost./a.png',
  'https://ⓛocalhost/a.png',
  'https://0/a.png',
  'https://0.0.0.0/a.png',
  'https://[::]/a.png',
  'https://[::1]/a.png',
  'https://[0:0:0:0:0:0:0:1]/a.png',
  // IPv6 addresses that carry one of IPv4.
  'https://[::ffff:127.0.0.1]/a.png',
  'https://[::ffff:7f00:1]/a.png',
  'https://[::ffff:0:127.0.0.1]/a.png',
  'https://[::127.0.0.1]/a.png',
  'https://[::7f00:1]/a.png',
  'https://[2002:7f00:1::]/a.png',
  'https://[2002:a00:1::1]/a.png',
  'https://[64:ff9b::7f00:1]/a.png',
  'https://[64:ff9b::127.0.0.1]/a.png',
  'https://[64:ff9b:1::a00:1]/a.png',
  'https://[2001:0:7f00:1::]/a.png',
  // Private networks, links, and the services of clouds.
  'https://10.0.0.1/a.png',
  'https://172.16.0.1/a.png',
  'https://172.31.255.255/a.png',
  'https://192.168.1.1/a.png',
  'https://169.254.169.254/latest/meta-data',
  'https://2852039166/latest/meta-data',
  'https://[fd00:ec2::254]/latest/meta-data',
  'https://[fe80::1]/a.png',
  'https://[fc00::1]/a.png',
  'https://[fec0::1]/a.png',
  'https://100.64.0.1/a.png',
  'https://100.127.255.255/a.png',
  // Reserved, benchmarks, documentation, multicast, broadcast.
  'https://192.0.0.1/a.png',
  'https://192.0.2.1/a.png',
  'https://198.18.0.1/a.png',
  'https://198.19.255.255/a.png',
  'https://198.51.100.1/a.png',
  'https://203.0.113.1/a.png',
  'https://192.88.99.1/a.png',
  'https://224.0.0.1/a.png',
  'https://240.0.0.1/a.png',
  'https://255.255.255.255/a.png',
  'https://[ff02::1]/a.png',
  'https://[2001:db8::1]/a.png',
  'https://[2001:2::1]/a.png',
  'https://[100::1]/a.png',
  'https://[4000::1]/a.png',
  // A name of the own network.
  'https://intranet/a.png',
])('%s is not fetched: it is not on the Internet', async (url) => {
  expect(await reasonOf(url)).toBe('not_public');
});

test.each([
  ['a name that leads to a private address', ['10.0.0.1']],
  ['one private address among public ones', ['93.184.215.14', '127.0.0.1']],
  ['a mapped address of this machine', ['::ffff:127.0.0.1']],
  ['an address with a zone', ['fe80::1%eth0']],
  ['what is no address', ['localhost']],
])('%s is not fetched', async (_what, answers) => {
  expect(await reasonOf('https://cdn.example.com/a.png', answers)).toBe('not_public');
  // Written otherwise, it is the same name.
  expect(await reasonOf('https://CDN.Example.com./a.png', answers)).toBe('not_public');
  expect(await reasonOf('https://xn--bcher-kva.example/a.png', answers)).toBe('not_public');
});

test.each([
  ['http://cdn.example.com/a.png', 'not_https'],
  ['ftp://cdn.example.com/a.png', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['data:image/png;base64,AAAA', 'not_https'],
  ['javascript:alert(1)', 'not_https'],
  ['//cdn.example.com/a.png', 'address_unusable'],
  ['a.png', 'address_unusable'],
  ['', 'address_unusable'],
  ['https://', 'address_unusable'],
  ['https://[::1/a.png', 'address_unusable'],
  ['https://1.2.3.4.5/a.png', 'address_unusable'],
  ['https://me:secret@cdn.example.com/a.png', 'credentials'],
  ['https://me@cdn.example.com/a.png', 'credentials'],
  ['https://cdn.example.com:8443/a.png', 'not_public'],
  ['https://cdn.example.com:22/a.png', 'not_public'],
])('%s is refused: %s', async (url, reason) => {
  expect(await reasonOf(url, ['93.184.215.14'])).toBe(reason);
});

test.each([
  '93.184.215.14',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:2800:21f:cb07::1',
  '2a00:1450:4001::8a',
])('%s is an address of the Internet', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
