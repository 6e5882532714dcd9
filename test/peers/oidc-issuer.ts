import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  /** Publishes another key, in the place of those there are unless told to keep them, and signs with it from now on. */
  rotate(options?: { alg?: string; keep?: boolean }): Promise<void>;
  /** Makes a key that signs from now on and is not published. */
  rotateInSecret(): Promise<void>;
  /** A token good for this issuer and audience for five minutes, with these claims in place of its own. */
  sign(claims?: Claims, header?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The published keys, as JSON Web Keys. */
  keys(): readonly object[];
  close(): Promise<void>;
};

type Options = { readonly now?: () => number; readonly audience?: string };

/** An OpenID Connect issuer on a port of its own: discovery, keys that rotate, and tokens with any claims. */
export async function startOidcIssuer({
  now = Date.now,
  audience = 'stallhand',
}: Options = {}): Promise<OidcIssuer> {
  let published: object[] = [];
  let signer: Signer;
  let made = 0;
  const requests: string[] = [];

  const server = createServer((req, res) => {
    requests.push(req.url ?? '');
    if (issuer.mood !== 'well') return misbehave(issuer.mood, res);
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` },
      '/keys': { keys: published },
    };
    const found = documents[req.url ?? ''];
    res.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;

  async function newKey(alg = 'RS256') {
    const kid = `key-${++made}`;
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    signer = { kid, alg, privateKey };
    return { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  }

  const issuer: OidcIssuer = {
    url: `http://127.0.0.1:${port}`,
    audience,
    requests,
    mood: 'well',
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
