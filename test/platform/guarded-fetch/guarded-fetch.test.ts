import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AssetBlocked } from '../../../src/platform/guarded-fetch/asset-blocked.ts';
import {
  createGuardedFetch,
  type GuardedFetchSettings,
} from '../../../src/platform/guarded-fetch/guarded-fetch.ts';
import { hasOpenssl, startTlsServer, type TlsServer } from './tls-server.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<?xml version="1.0"?>\n<!-- a dot -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
const HTML = '<html><body>hello</body></html>';
const never = new AbortController().signal;

type Answer = (req: IncomingMessage, res: ServerResponse) => void;
type Kind = 'image' | 'font' | 'css' | 'audio';

describe.runIf(hasOpenssl())('over https', () => {
  let server: TlsServer;
  let answer: Answer;
  let asked: { url: string; headers: IncomingMessage['headers'] }[] = [];

  beforeAll(async () => {
    server = await startTlsServer((req, res) => {
      asked.push({ url: `${req.headers.host}${req.url}`, headers: req.headers });
      answer(req, res);
    });
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => server.close());

  /** Every name leads to the server, which alone may be connected to. */
  const settings = (more: Partial<GuardedFetchSettings> = {}): GuardedFetchSettings => ({
    ca: server.ca,
    isAllowed: (address, port) => address === '127.0.0.1' && port === server.port,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ...more,
  });
  const at = (path: string, host = 'cdn.example.test') => `https://${host}:${server.port}${path}`;
  const get = (
    url: string,
    {
      kinds = ['image'],
      signal = never,
      ...more
    }: Partial<GuardedFetchSettings> & { kinds?: Kind[]; signal?: AbortSignal } = {},
  ) => createGuardedFetch(settings(more)).fetchAsset(url, { kinds, signal });
  const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'fetched',
      (error: AssetBlocked) => error.reason ?? error,
    );

  const serve =
    (
      body: string | Buffer,
      type = 'application/octet-stream',
      headers: Record<string, string> = {},
    ): Answer =>
    (_req, res) => {
      res.writeHead(200, { 'content-type': type, ...headers }).end(body);
    };

  test('an image comes with the type its bytes have, whatever it is named and served as', async () => {
    answer = serve(PNG, 'text/html');
    expect(await get(at('/a.jpg?v=1'))).toEqual({ bytes: PNG, mediaType: 'image/png' });
    expect(asked.map(({ url }) => url)).toEqual([`cdn.example.test:${server.port}/a.jpg?v=1`]);
  });

  test('the request says who asks and nothing else: no cookies, no credentials, no referrer', async () => {
    answer = (_req, res) => res.writeHead(200, { 'set-cookie': 'a=b' }).end(PNG);
    const { fetchAsset } = createGuardedFetch(settings());
    for (const url of [at('/1'), at('/2')]) await fetchAsset(url, { kinds: ['image'], signal: never });
    for (const { headers } of asked)
      expect(headers).toEqual({
        accept: 'image/*, font/*, text/css',
        'accept-encoding': 'identity',
        'user-agent': 'Stallhand (images of email templates)',
        host: `cdn.example.test:${server.port}`,
        connection: 'close',
      });
  });

  test.each([
    ['a png', PNG, '', ['image'], 'image/png'],
    ['a gif', 'GIF89a\x01\0\x01\0\0\0\0;', '', ['image'], 'image/gif'],
    [
      'a jpeg',
      Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
      '',
      ['image'],
      'image/jpeg',
    ],
    [
      'a webp',
      Buffer.from('524946461a000000574542505650384c0d0000002f00000010071011118888fe0700', 'hex'),
      '',
      ['image'],
      'image/webp',
    ],
    [
      'an avif',
      Buffer.from('0000001c6674797061766966000000006d696631617669666d696166', 'hex'),
      '',
      ['image'],
      'image/avif',
    ],
    ['a woff2', Buffer.from('774f46320001000000000000000a0000', 'hex'), '', ['font'], 'font/woff2'],
    ['a woff', Buffer.from('774f46460001000000000000000a0000', 'hex'), '', ['font'], 'font/woff'],
    ['a ttf', Buffer.from('0001000000080080000300004f532f32', 'hex'), '', ['font'], 'font/ttf'],
    ['an otf', Buffer.from('4f54544f000900800003001043464620', 'hex'), '', ['font'], 'font/otf'],
    ['an svg', SVG, 'image/svg+xml; charset=utf-8', ['image'], 'image/svg+xml'],
    ['a style sheet', 'p { color: red }', 'text/css', ['css'], 'text/css'],
    ['an mp3', Buffer.from('fffb90c40000000000000000', 'hex'), '', ['audio'], 'audio/mpeg'],
    [
      'a wav',
      Buffer.from('524946462400000057415645666d74201000000001000100', 'hex'),
      '',
      ['audio'],
      'audio/wav',
    ],
    ['a flac', 'fLaC\0\0\0\x22', '', ['audio'], 'audio/flac'],
  ] as const)('%s is taken', async (_what, body, type, kinds, mediaType) => {
    answer = serve(typeof body === 'string' ? body : body, type);
    expect((await get(at('/x'), { kinds: [...kinds] })).mediaType).toBe(mediaType);
  });

  test.each([
    ['a page', HTML, 'text/html', ['image', 'font', 'css']],
    ['a page served as an image', HTML, 'image/png', ['image']],
    ['a page served as svg', HTML, 'image/svg+xml', ['image']],
    ['svg served as text', SVG, 'text/plain', ['image']],
    ['svg that declares entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', 'image/svg+xml', ['image']],
    ['a style sheet where an image belongs', 'p{}', 'text/css', ['image', 'font']],
    ['an image where a style sheet belongs', PNG, 'text/css', ['css']],
    ['an image where a font belongs', PNG, 'image/png', ['font']],
    ['an image where a sound belongs', PNG, 'audio/mpeg', ['audio']],
    ['a sound where an image belongs', 'fLaC\0\0\0\x22', 'image/png', ['image', 'font', 'css']],
    ['a pdf', '%PDF-1.7\n', 'image/png', ['image', 'font']],
    ['a zip', Buffer.from('504b0304140000000000', 'hex'), 'image/png', ['image', 'font']],
    ['json with secrets', '{"AccessKeyId":"x"}', 'application/json', ['image', 'font', 'css']],
    ['nothing', '', 'image/png', ['image']],
  ] as const)('%s is refused', async (_what, body, type, kinds) => {
    answer = serve(body, type);
    expect(await reasonOf(get(at('/x.png'), { kinds: [...kinds] }))).toBe('wrong_type');
  });

  test('an answer of another status, or a compressed one, is refused', async () => {
    for (const status of [204, 304, 403, 404, 500]) {
      answer = (_req, res) => res.writeHead(status).end();
      expect([status, await reasonOf(get(at('/x')))]).toEqual([status, 'bad_answer']);
    }
    answer = serve(PNG, 'image/png', { 'content-encoding': 'gzip' });
    expect(await reasonOf(get(at('/x')))).toBe('bad_answer');
  });

  test.each([
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'bad_answer',
    ],
    ['no answer at all', '', 'unreachable'],
    ['what is no answer', 'hello\r\n\r\n', 'unreachable'],
    ['a first part', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', 'unreachable'],
  ])('%s is refused, and the connection closed', async (_what, bytes, reason) => {
    const closed = Promise.withResolvers<void>();
    answer = ({ socket }) => {
      socket.once('close', () => closed.resolve());
      if (reason === 'bad_answer') socket.write(bytes);
      else socket.end(bytes);
    };
    expect(await reasonOf(get(at('/x')))).toBe(reason);
    await closed.promise;
  });

  test('redirects are followed three times', async () => {
    answer = ({ url = '' }, res) => {
      const left = Number(url.slice(1));
      if (left === 0) res.writeHead(200).end(PNG);
      else res.writeHead([301, 302, 307, 308][left % 4] ?? 302, { location: `/${left - 1}` }).end();
    };
    expect((await get(at('/3'))).mediaType).toBe('image/png');
    expect(await reasonOf(get(at('/4')))).toBe('too_many_redirects');
  });

  test.each([
    ['https://127.0.0.1:1/a.png', 'not_public'],
    ['https://169.254.169.254/latest/meta-data', 'not_public'],
    ['//[::1]/a.png', 'not_public'],
    ['https://localhost/a.png', 'not_public'],
    ['http://cdn.example.test/a.png', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['https://me:pw@cdn.example.test/a.png', 'credentials'],
    ['https://[', 'address_unusable'],
  ])('a redirect to %s is refused: %s', async (location, reason) => {
    answer = (_req, res) => res.writeHead(302, { location }).end();
    expect(await reasonOf(get(at('/x')))).toBe(reason);
    expect(asked).toHaveLength(1);
  });

  test('a name that leads elsewhere after a redirect is checked again', async () => {
    answer = (_req, res) => res.writeHead(302, { location: at('/next', 'other.example.test') }).end();
    const lookup = async (host: string) => [
      { address: host.startsWith('other') ? '10.0.0.1' : '127.0.0.1', family: 4 },
    ];
    expect(await reasonOf(get(at('/x'), { lookup }))).toBe('not_public');
    expect(asked).toHaveLength(1);
  });

  test('a name is resolved once, and the checked address is the one connected to', async () => {
    answer = serve(PNG);
    const answers = ['127.0.0.1', '10.0.0.1', '10.0.0.2'];
    let lookups = 0;
    const lookup = async () => [{ address: answers[lookups++] ?? '', family: 4 }];
    expect((await get(at('/x'), { lookup })).mediaType).toBe('image/png');
    expect(lookups).toBe(1);
  });

  test('with a list of hosts only those and their subdomains are asked, also after a redirect', async () => {
    answer = serve(PNG);
    const hosts = ['Example.test'];
    expect((await get(at('/x'), { hosts })).mediaType).toBe('image/png');
    for (const host of ['example.test.evil.com', 'notexample.test', 'evil.com'])
      expect(await reasonOf(get(at('/x', host), { hosts }))).toBe('host_not_allowed');
    answer = (_req, res) => res.writeHead(302, { location: at('/x', 'evil.com') }).end();
    expect(await reasonOf(get(at('/x'), { hosts }))).toBe('host_not_allowed');
  });

  test('what says that it is too large is refused, and so is what only is', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-length': '1001' });
      res.write(PNG);
    };
    expect(await reasonOf(get(at('/x'), { maxBytes: 1000 }))).toBe('too_large');
    let closed: () => void = () => {};
    const cut = new Promise<void>((resolve) => {
      closed = resolve;
    });
    answer = (_req, res) => {
      // A body without end.
      const more = () => res.write(Buffer.alloc(64), () => !res.destroyed && setImmediate(more));
      res.on('close', closed);
      more();
    };
    expect(await reasonOf(get(at('/x'), { maxBytes: 1000 }))).toBe('too_large');
    await cut;
  });

  test('an answer that drips, or never comes, is given up', async () => {
    answer = (_req, res) => {
      const drip = setInterval(() => res.write('.'), 20);
      res.on('close', () => clearInterval(drip));
    };
    expect(await reasonOf(get(at('/x'), { maxMs: 150 }))).toBe('too_slow');
    answer = () => {};
    expect(await reasonOf(get(at('/x'), { maxMs: 150 }))).toBe('too_slow');
    const lookup = () => new Promise<never>(() => {});
    expect(await reasonOf(get(at('/x'), { maxMs: 150, lookup }))).toBe('too_slow');
  });

  test('a caller who gives up hears of that, not of a refusal', async () => {
    const caller = new AbortController();
    answer = () => caller.abort(new Error('enough'));
    await expect(get(at('/x'), { signal: caller.signal })).rejects.toThrow('enough');
  });

  test('an unknown name, a port without a listener, an untrusted certificate: unreachable', async () => {
    answer = serve(PNG);
    const unknown = async () => Promise.reject(new Error('ENOTFOUND'));
    expect(await reasonOf(get(at('/x'), { lookup: unknown }))).toBe('unreachable');
    expect(await reasonOf(get(at('/x'), { lookup: async () => [] }))).toBe('unreachable');
    expect(await reasonOf(get('https://cdn.example.test:1/x', { isAllowed: () => true }))).toBe(
      'unreachable',
    );
    expect(await reasonOf(get(at('/x', 'cdn.other.test')))).toBe('unreachable');
    const { ca: _none, ...untrusting } = settings();
    const call = createGuardedFetch(untrusting).fetchAsset(at('/x'), { kinds: ['image'], signal: never });
    expect(await reasonOf(call)).toBe('unreachable');
    expect(asked).toEqual([]);
  });
});
