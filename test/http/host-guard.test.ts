import { expect, test } from 'vitest';
import { createHostGuard } from '../../http/host-guard.ts';

const local = {
  host: '127.0.0.1',
  loopback: true,
  publicUrl: undefined,
  allowedHosts: [],
  allowedOrigins: ['http://localhost:5173'],
};
const open = {
  host: '0.0.0.0',
  loopback: false,
  publicUrl: 'https://mail.shop.example',
  allowedHosts: ['stallhand'],
  allowedOrigins: [],
};

type Sent = {
  host?: string | string[];
  origin?: string;
  protocol?: string;
  method?: string;
  path?: string;
  token?: string;
  site?: string;
  mode?: string;
  dest?: string;
};

/** What the guard says of a request: `in`, or the key of its fault. */
function judge(config: Parameters<typeof createHostGuard>[0], sent: Sent): string {
  const { host, origin, protocol = 'http', method = 'GET', path = '/', token, site, mode, dest } = sent;
  const hosts = host === undefined ? [] : [host].flat();
  const headers = {
    host: hosts[0],
    origin,
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
  };
  const guard = createHostGuard(config);
  const req = { headers, headersDistinct: { host: hosts }, protocol, method, path, query: { token } };
  let verdict = '';
  try {
    // The guard looks at nothing else of a request, and only says more to an allowed page.
    guard(req as never, { vary() {}, set() {} } as never, () => {
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
  ['two names', local, { host: ['localhost:8080', 'evil.example'] }, 'bad_request.host'],
  ['the same name twice', local, { host: ['localhost:8080', 'localhost:8080'] }, 'bad_request.host'],
  ['another address of the machine', local, { host: '192.168.1.9:8080' }, 'forbidden.host'],
  ['the public name', open, { host: 'mail.shop.example' }, 'in'],
  ['an allowed name', open, { host: 'stallhand:8080' }, 'in'],
  ['an address on the network', open, { host: '10.0.0.7:8080' }, 'in'],
  ['a foreign name on the network', open, { host: 'evil.example' }, 'forbidden.host'],
])('host: %s', (_case, config, sent: Sent, verdict) => {
  expect(judge(config, sent)).toBe(verdict);
});

test.each([
  ['its own page', local, { host: 'localhost:8080', origin: 'http://localhost:8080' }, 'in'],
  ['its own page over IPv6', local, { host: '[::1]:8080', origin: 'http://[::1]:8080' }, 'in'],
  [
    'its own page behind a mapped port',
    local,
    { host: 'localhost:9000', origin: 'http://localhost:9000' },
    'in',
  ],
  ['its own page on the default port', local, { host: 'localhost:80', origin: 'http://localhost' }, 'in'],
  [
    'its own page behind a trusted proxy',
    open,
    { host: 'stallhand', origin: 'https://stallhand', protocol: 'https' },
    'in',
  ],
  ['the public page', open, { host: 'mail.shop.example', origin: 'https://mail.shop.example' }, 'in'],
  [
    'the public page, under an inner name',
    open,
    { host: 'stallhand:8080', origin: 'https://mail.shop.example' },
    'in',
  ],
  ['an allowed page', local, { host: 'localhost:8080', origin: 'http://localhost:5173' }, 'in'],
  [
    'an allowed page under another name',
    local,
    { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:5173' },
    'forbidden.origin',
  ],
  [
    'a page on another port',
    local,
    { host: 'localhost:8080', origin: 'http://localhost:47850' },
    'forbidden.origin',
  ],
  [
    'a page on another name of this machine',
    local,
    { host: '127.0.0.1:8080', origin: 'http://localhost:8080' },
    'forbidden.origin',
  ],
  [
    'a page of another scheme',
    local,
    { host: 'localhost:8080', origin: 'https://localhost:8080' },
    'forbidden.origin',
  ],
  [
    'a page of another site',
    local,
    { host: 'localhost:8080', origin: 'https://evil.example' },
    'forbidden.origin',
  ],
  [
    'a page whose name ends like ours',
    open,
    { host: 'mail.shop.example', origin: 'https://evil-mail.shop.example' },
    'forbidden.origin',
  ],
  [
    'a page of the client machine',
    open,
    { host: 'mail.shop.example', origin: 'http://localhost:3000' },
    'forbidden.origin',
  ],
  [
    'a file or a sandboxed page',
    local,
    { host: 'localhost:8080', origin: 'null' },
    'forbidden.opaque_origin',
  ],
  ['an extension', local, { host: 'localhost:8080', origin: 'chrome-extension://abc' }, 'forbidden.origin'],
  [
    'two origins',
    local,
    { host: 'localhost:8080', origin: 'http://localhost:8080, https://evil.example' },
    'forbidden.origin',
  ],
])('origin: %s', (_case, config, sent: Sent, verdict) => {
  expect(judge(config, { method: 'POST', ...sent })).toBe(verdict);
});

const here = { host: 'localhost:8080' };
const link = { ...here, path: '/v1/files/fil_1', token: 'ab' };

test.each([
  ['a program posts', { ...here, method: 'POST' }, 'in'],
  ['a person types the address', { ...here, site: 'none', mode: 'navigate', dest: 'document' }, 'in'],
  [
    'a link of another site is followed',
    { ...here, site: 'cross-site', mode: 'navigate', dest: 'document' },
    'in',
  ],
  ['our page loads a picture', { ...here, site: 'same-origin', mode: 'no-cors', dest: 'image' }, 'in'],
  [
    'a page of another port loads a picture',
    { ...here, site: 'same-site', mode: 'no-cors', dest: 'image' },
    'forbidden.other_site',
  ],
  [
    'another site loads a script',
    { ...here, site: 'cross-site', mode: 'no-cors', dest: 'script' },
    'forbidden.other_site',
  ],
  [
    'another site frames a page',
    { ...here, site: 'cross-site', mode: 'navigate', dest: 'iframe' },
    'forbidden.other_site',
  ],
  [
    'another site embeds an object',
    { ...here, site: 'cross-site', mode: 'navigate', dest: 'object' },
    'forbidden.other_site',
  ],
  [
    'an email shows a picture by its link',
    { ...link, site: 'cross-site', mode: 'no-cors', dest: 'image' },
    'in',
  ],
  [
    'another site shows a file without its link',
    { ...link, token: undefined, site: 'cross-site', mode: 'no-cors' },
    'forbidden.other_site',
  ],
  [
    'a token elsewhere',
    { ...link, path: '/v1/templates', site: 'cross-site', mode: 'no-cors' },
    'forbidden.other_site',
  ],
  [
    'another site posts without an origin',
    { ...here, method: 'POST', site: 'cross-site', mode: 'navigate' },
    'forbidden.other_site',
  ],
  [
    'another port deletes without an origin',
    { ...here, method: 'DELETE', site: 'same-site', mode: 'cors' },
    'forbidden.other_site',
  ],
])('fetch metadata: %s', (_case, sent, verdict) => {
  expect(judge(local, sent as Sent)).toBe(verdict);
});
