import { expect, test } from 'vitest';
import { createHostGuard } from '../../http/host-guard.ts';

const local = { host: '127.0.0.1', loopback: true, publicUrl: undefined, allowedHosts: [] };
const open = {
  host: '0.0.0.0',
  loopback: false,
  publicUrl: 'https://mail.shop.example',
  allowedHosts: ['stallhand'],
};

/** What the guard says of a request with these headers: `in`, or the key of its fault. */
function judge(
  config: Parameters<typeof createHostGuard>[0],
  headers: { host?: string; origin?: string },
): string {
  const guard = createHostGuard(config);
  let verdict = '';
  try {
    // The guard looks at nothing but the headers.
    guard({ headers } as never, {} as never, () => {
      verdict = 'in';
    });
  } catch (error) {
    verdict = (error as { key: string }).key;
  }
  return verdict;
}

test.each([
  ['its own address', local, { host: '127.0.0.1:8080' }, 'in'],
  ['localhost', local, { host: 'localhost:8080' }, 'in'],
  ['IPv6 loopback', local, { host: '[::1]:8080' }, 'in'],
  ['a rebound name', local, { host: 'evil.example:8080' }, 'forbidden.host'],
  ['a name that begins like ours', local, { host: 'localhost.evil.example' }, 'forbidden.host'],
  ['no name at all', local, {}, 'forbidden.host'],
  ['another address of the machine', local, { host: '192.168.1.9:8080' }, 'forbidden.host'],
  ['a page of this machine', local, { host: 'localhost:8080', origin: 'http://localhost:5173' }, 'in'],
  [
    'a page of another site',
    local,
    { host: 'localhost:8080', origin: 'https://evil.example' },
    'forbidden.origin',
  ],
  ['a sandboxed page', local, { host: 'localhost:8080', origin: 'null' }, 'forbidden.origin'],
  ['an extension', local, { host: 'localhost:8080', origin: 'chrome-extension://abc' }, 'forbidden.origin'],
  ['the public name', open, { host: 'mail.shop.example' }, 'in'],
  ['the public page', open, { host: 'mail.shop.example', origin: 'https://mail.shop.example' }, 'in'],
  ['an allowed name', open, { host: 'stallhand:8080' }, 'in'],
  ['an address on the network', open, { host: '10.0.0.7:8080' }, 'in'],
  ['a foreign name on the network', open, { host: 'evil.example' }, 'forbidden.host'],
  [
    'a page of the client machine',
    open,
    { host: 'mail.shop.example', origin: 'http://localhost:3000' },
    'forbidden.origin',
  ],
])('%s', (_case, config, headers, verdict) => {
  expect(judge(config, headers)).toBe(verdict);
});
