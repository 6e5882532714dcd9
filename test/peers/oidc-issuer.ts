import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** undefined takes one of the issuer's own claims out. */
type Claims = { readonly [Name in keyof JWTPayload]: JWTPayload[Name] | undefined };
type Mood = 'well' | 'down' | 'silent' | 'garbage' | 'redirect' | 'endless';
type Signer = { readonly kid: string; readonly alg: string; readonly privateKey: CryptoKey };

export type OidcIssuer = {
  readonly url: string;
  readonly audience: string;
  /** Paths asked for, in order. */
  readonly requests: string[];
  /** What the issuer does from now on. */
  mood: Mood;
  /** What `/userinfo` tells of the holder of any token; undefined is an error, but for an access token it issued. */
  userinfo: object | undefined;
  /** Publishes another key, in the place of those there are unless told to keep them, and signs with it from now on. */
  rotate(options?: { alg?: string; keep?: boolean }): Promise<void>;
  /** Makes a key that signs from now on and is not published. */
  rotateInSecret(): Promise<void>;
  /** A token good for this issuer and audience for five minutes, with these claims in place of its own. */
  sign(claims?: Claims, header?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Who is signed in at the issuer's page: the claims of the next ID token. Undefined: the person declines. */
  person: Claims | undefined;
  /** Put in place of claims of the next ID tokens, as a broken or hostile issuer would. */
  forged: Claims;
  /** Changes the address that the person is sent back to, or does something else in the meantime. */
  beforeReturn: ((back: URL) => void | Promise<void>) | undefined;
  /** The published keys, as JSON Web Keys. */
  keys(): readonly object[];
  close(): Promise<void>;
};

type Options = {
  readonly now?: () => number;
  readonly audience?: string;
  /** The secret that the client must send to the token endpoint. */
  readonly clientSecret?: string;
  /** `localhost` is another site than 127.0.0.1, where the product is: browsers then treat cookies as they do outside. */
  readonly host?: 'localhost' | '127.0.0.1';
};

/** What an authorization code stands for. */
type Grant = { readonly query: URLSearchParams; readonly person: Claims };

/**
 * An OpenID Connect issuer on a port of its own: discovery, keys that rotate, tokens with any claims, and the authorization
 * code flow. Its page asks nothing: `person` is the one signed in there. Also has the paths of GitHub Enterprise.
 */
export async function startOidcIssuer({
  now = Date.now,
  audience = 'stallhand',
  clientSecret = 'a client secret',
  host = '127.0.0.1',
}: Options = {}): Promise<OidcIssuer> {
  let published: object[] = [];
  let signer: Signer;
  let made = 0;
  const requests: string[] = [];
  const grants = new Map<string, Grant>();
  const accessTokens = new Map<string, Claims>();

  const server = createServer((req, res) => {
    requests.push(req.url ?? '');
    if (issuer.mood !== 'well') return misbehave(issuer.mood, res);
    const { pathname, searchParams } = new URL(req.url ?? '', issuer.url);
    if (/\/authorize$/.test(pathname)) return void authorize(searchParams, res);
    if (/\/(token|access_token)$/.test(pathname)) return void grant(req, res);
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer: issuer.url,
        jwks_uri: `${issuer.url}/keys`,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        userinfo_endpoint: `${issuer.url}/userinfo`,
        id_token_signing_alg_values_supported: ['RS256'],
      },
      '/userinfo': req.headers.authorization?.startsWith('Bearer ') ? issuer.userinfo : undefined,
      '/keys': { keys: published },
      ...ofPerson(req),
    };
    sendJson(res, documents[pathname]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;

  /** The person's answer at once: back to the client, with a code or a refusal. */
  async function authorize(query: URLSearchParams, res: ServerResponse): Promise<void> {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    if (issuer.person) {
      const code = randomUUID();
      grants.set(code, { query, person: issuer.person });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', 'access_denied');
    await issuer.beforeReturn?.(back);
    res.writeHead(302, { location: back.href }).end();
  }

  async function grant(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(req));
    const { query, person } = grants.get(form.get('code') ?? '') ?? {};
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    const isGood =
      secretOf(req, form) === clientSecret &&
      query?.get('redirect_uri') === form.get('redirect_uri') &&
      query?.get('code_challenge_method') === 'S256' &&
      query.get('code_challenge') === challenge;
    if (!isGood || !person) return sendJson(res, { error: 'invalid_grant' }, 400);
    grants.delete(form.get('code') ?? '');
    const access_token = randomUUID();
    accessTokens.set(access_token, person);
    const nonce = query.get('nonce') ?? undefined;
    const id_token = await issuer.sign({ nonce, ...person, ...issuer.forged });
    const isOpenId = query.get('scope')?.split(' ').includes('openid');
    sendJson(res, { access_token, token_type: 'Bearer', expires_in: 300, ...(isOpenId && { id_token }) });
  }

  /** Documents for the bearer of an access token. */
  function ofPerson({ headers: { authorization = '' } }: IncomingMessage): Record<string, unknown> {
    const person = accessTokens.get(authorization.replace(/^Bearer /i, ''));
    if (!person) return {};
    const { sub, name, email, email_verified: verified } = person;
    return {
      '/userinfo': { sub, ...issuer.userinfo },
      '/api/v3/user': {
        id: Number(sub),
        login: 'octo',
        name,
        avatar_url: 'https://img.example.com/octo.png',
      },
      '/api/v3/user/emails': [
        { email: 'other@example.com', primary: false, verified: true },
        { email, primary: true, verified },
      ],
    };
  }

  async function newKey(alg = 'RS256') {
    const kid = `key-${++made}`;
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    signer = { kid, alg, privateKey };
    return { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  }

  const issuer: OidcIssuer = {
    url: `http://${host}:${port}`,
    audience,
    requests,
    mood: 'well',
    person: { sub: 'ana' },
    forged: {},
    beforeReturn: undefined,
    userinfo: undefined,
    async rotate({ alg, keep = false } = {}) {
      const key = await newKey(alg);
      published = keep ? [...published, key] : [key];
    },
    async rotateInSecret() {
      await newKey();
    },
    sign(claims = {}, header = {}) {
      const { alg, kid, privateKey } = signer;
      const seconds = Math.floor(now() / 1000);
      const good = { iss: issuer.url, aud: audience, sub: 'ana', iat: seconds, exp: seconds + 300 };
      // What is undefined is left out of the JSON.
      return new SignJWT(JSON.parse(JSON.stringify({ ...good, ...claims })) as JWTPayload)
        .setProtectedHeader({ alg, kid, ...header })
        .sign(privateKey);
    },
    keys: () => published,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await issuer.rotate();
  return issuer;
}

function sendJson(res: ServerResponse, body: unknown, status = body === undefined ? 404 : 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
}

/** The client's secret, from the header or the body. */
function secretOf({ headers: { authorization = '' } }: IncomingMessage, form: URLSearchParams): string {
  const [, basic = ''] = /^Basic (.+)$/.exec(authorization) ?? [];
  const [, secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  return form.get('client_secret') ?? decodeURIComponent(secret.replaceAll('+', ' '));
}

function misbehave(mood: Exclude<Mood, 'well'>, res: ServerResponse): void {
  switch (mood) {
    case 'down':
      res.writeHead(503).end('<h1>down</h1>');
      return;
    case 'silent':
      return;
    case 'garbage':
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"keys": 7, "issuer":');
      return;
    case 'redirect':
      res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      return;
    case 'endless':
      res.writeHead(200, { 'content-type': 'application/json' }).end(`["${'x'.repeat(2 * 1024 * 1024)}"]`);
  }
}
