import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '../../../src/identity/users/external-users.ts';
import { createOidcProvider } from '../../../src/providers/oidc/oidc.ts';
import { type OidcIssuer, startOidcIssuer } from '../../peers/oidc-issuer.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;

let clock: number;
let issuer: OidcIssuer;
let provider: IdentityProvider;

beforeEach(async () => {
  clock = NOON;
  issuer = await startOidcIssuer({ now: () => clock });
  provider = newProvider();
});
afterEach(() => issuer.close());

function newProvider(url = issuer.url, limits: { timeoutMs?: number } = {}): IdentityProvider {
  return createOidcProvider({ issuer: url, audience: 'stallhand', now: () => clock, ...limits });
}

const seconds = (ms: number) => Math.floor(ms / SECOND);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const refused = { key: 'unauthenticated.token', status: 401 };
const expired = { key: 'token_expired.token', status: 401 };
const down = { key: 'unavailable.identity_provider', status: 503 };

/** A token whose signature `sign` makes, of the text before it. */
function handmade(header: object, claims: object, sign: (text: string) => string): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign(text)}`;
}

const goodClaims = () => ({ iss: issuer.url, aud: 'stallhand', sub: 'ana', exp: seconds(clock) + 300 });

describe('a token that is good', () => {
  test('tells who it speaks for', async () => {
    const token = await issuer.sign({
      sub: 'user_1',
      email: 'Ana@Example.com',
      email_verified: true,
      name: ' Ana Ruiz ',
      picture: 'https://img.example.com/ana.png',
    });
    expect(await provider.verify(token)).toEqual({
      issuer: issuer.url,
      subject: 'user_1',
      email: 'ana@example.com',
      name: 'Ana Ruiz',
      avatar: 'https://img.example.com/ana.png',
      authenticatedAt: null,
      expiresAt: NOON + 5 * MINUTE,
    });
  });

  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('may be signed with %s', async (alg) => {
    await issuer.rotate({ alg });
    expect(await provider.verify(await issuer.sign())).toMatchObject({ subject: 'ana' });
  });

  test.each([
    ['one of several in aud', { aud: ['other', 'stallhand'] }],
    ['the client in azp, without aud', { aud: undefined, azp: 'stallhand' }],
  ])('names the audience: %s', async (_how, claims) => {
    expect(await provider.verify(await issuer.sign(claims))).toMatchObject({ subject: 'ana' });
  });

  test.each([
    ['an address the provider has not verified', { email: 'ana@example.com', email_verified: false }],
    ['an address without a word on it', { email: 'ana@example.com' }],
    ['something that is no address', { email: 'ana', email_verified: true }],
    ['a name that no database holds', { name: 'A\0na' }],
    ['a picture that is a script', { picture: 'javascript:alert(1)' }],
    ['a name of a thousand letters', { name: 'a'.repeat(1000) }],
  ])('is believed without %s', async (_what, claims) => {
    const identity = await provider.verify(await issuer.sign(claims));
    expect(identity).toMatchObject({ subject: 'ana', email: null, name: null, avatar: null });
  });

  test.each([
    ['its line breaks', 'Ana\r\nBcc: eva@shop.example', 'Ana Bcc: eva@shop.example'],
    ['marks that turn the direction', '\u202eanA\u2066', 'anA'],
  ])('gives a name without %s', async (_what, name, cleaned) => {
    expect(await provider.verify(await issuer.sign({ name }))).toMatchObject({ name: cleaned });
  });

  test('tells when the person signed in, never later than now', async () => {
    const at = async (auth_time: number) =>
      (await provider.verify(await issuer.sign({ auth_time }))).authenticatedAt;
    expect(await at(seconds(NOON) - 60)).toBe(NOON - MINUTE);
    expect(await at(seconds(NOON) + 3600)).toBe(NOON);
  });

  test('without an address has it from the userinfo of the issuer, which is asked once', async () => {
    issuer.userinfo = { sub: 'ana', email: 'ana@example.com', email_verified: true, name: 'Ana' };
    const token = await issuer.sign({ name: 'Ana Ruiz' });
    for (let i = 0; i < 3; i++)
      expect(await provider.verify(token)).toMatchObject({ email: 'ana@example.com', name: 'Ana Ruiz' });
    expect(issuer.requests.filter((path) => path === '/userinfo')).toHaveLength(1);
  });

  test('is believed without a userinfo of somebody else, or one that cannot be asked', async () => {
    issuer.userinfo = { sub: 'eva', email: 'eva@example.com', email_verified: true };
    expect(await provider.verify(await issuer.sign())).toMatchObject({ subject: 'ana', email: null });
    issuer.userinfo = undefined;
    expect(await provider.verify(await issuer.sign({ jti: '2' }))).toMatchObject({
      subject: 'ana',
      email: null,
    });
  });

  test('is found whether or not the issuer is set up with a slash at its end', async () => {
    const token = await issuer.sign();
    expect(await newProvider(`${issuer.url}/`).verify(token)).toMatchObject({ issuer: issuer.url });
  });
});

describe('a token that is not', () => {
  test.each([
    ['of another issuer', { iss: 'https://evil.example.com' }],
    ['for another audience', { aud: 'other' }],
    ['of another client, which names us too', { aud: ['other', 'stallhand'], azp: 'other' }],
    ['for nobody', { aud: undefined }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['without an end', { exp: undefined }],
    ['good only from later on', { nbf: seconds(NOON) + 60 }],
  ])('is refused: %s', async (_what, claims) => {
    await expect(provider.verify(await issuer.sign(claims))).rejects.toMatchObject(refused);
  });

  test('has ended, which is told; five seconds of skew are allowed', async () => {
    const token = await issuer.sign({ exp: seconds(NOON) + 10 });
    clock = NOON + 14 * SECOND;
    expect(await provider.verify(token)).toMatchObject({ subject: 'ana' });
    clock = NOON + 16 * SECOND;
    await expect(provider.verify(token)).rejects.toMatchObject(expired);
  });

  test('is told to have expired only when its signature holds', async () => {
    const token = await issuer.sign({ exp: seconds(NOON) - 60 });
    const forged = `${token.slice(0, -20)}${'A'.repeat(20)}`;
    await expect(provider.verify(forged)).rejects.toMatchObject(refused);
  });

  test('has no signature: alg none', async () => {
    const token = handmade({ alg: 'none', typ: 'JWT' }, goodClaims(), () => '');
    await expect(provider.verify(token)).rejects.toMatchObject(refused);
  });

  test('is signed with the public key as if it were a secret: HS256', async () => {
    const [key] = issuer.keys();
    for (const secret of [JSON.stringify(key), issuer.url]) {
      const token = handmade({ alg: 'HS256', kid: 'key-1' }, goodClaims(), (text) =>
        createHmac('sha256', secret).update(text).digest('base64url'),
      );
      await expect(provider.verify(token)).rejects.toMatchObject(refused);
    }
  });

  test('is signed by a stranger who uses the name of a key there is', async () => {
    const stranger = await startOidcIssuer({ now: () => clock });
    const token = await stranger.sign({ iss: issuer.url }, { kid: 'key-1' });
    await stranger.close();
    await expect(provider.verify(token)).rejects.toMatchObject(refused);
  });

  test('brings its own key, or an address of one: neither is looked at', async () => {
    const stranger = await startOidcIssuer({ now: () => clock });
    const [jwk] = stranger.keys();
    const token = await stranger.sign(
      { iss: issuer.url },
      { kid: 'key-1', jwk, jku: `${stranger.url}/keys` },
    );
    await expect(provider.verify(token)).rejects.toMatchObject(refused);
    expect(stranger.requests).toEqual([]);
    await stranger.close();
  });

  test('says something else than who calls, as a logout token does', async () => {
    const token = await issuer.sign({}, { typ: 'logout+jwt' });
    await expect(provider.verify(token)).rejects.toMatchObject(refused);
  });

  test('was changed after it was signed', async () => {
    const [header, , signature] = (await issuer.sign()).split('.');
    const token = `${header}.${encode({ ...goodClaims(), sub: 'root' })}.${signature}`;
    await expect(provider.verify(token)).rejects.toMatchObject(refused);
  });

  test.each(['a.b.c', '..', `${'x'.repeat(20_000)}.y.z`, 'e30.e30.e30'])(
    'is no token: %.20s',
    async (token) => {
      await expect(provider.verify(token)).rejects.toMatchObject(refused);
    },
  );
});

describe('the keys of the issuer', () => {
  test('are fetched once for many tokens at once', async () => {
    const tokens = await Promise.all(['a', 'b', 'c'].map((sub) => issuer.sign({ sub })));
    await Promise.all([...tokens, ...tokens].map((token) => provider.verify(token)));
    const asked = issuer.requests.filter((path) => path !== '/userinfo');
    expect(asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  test('rotate: a new one is found when the last fetch is 30 seconds ago, and the old one no longer holds', async () => {
    const old = await issuer.sign();
    await provider.verify(old);
    await issuer.rotate();
    const fresh = await issuer.sign();
    await expect(provider.verify(fresh)).rejects.toMatchObject(refused);
    clock += 30 * SECOND;
    expect(await provider.verify(fresh)).toMatchObject({ subject: 'ana' });
    await expect(provider.verify(old)).rejects.toMatchObject(refused);
  });

  test('stay in use beside a new one', async () => {
    const old = await issuer.sign({ sub: 'old' });
    await issuer.rotate({ keep: true, alg: 'ES256' });
    expect(await provider.verify(await issuer.sign({ sub: 'new' }))).toMatchObject({ subject: 'new' });
    expect(await provider.verify(old)).toMatchObject({ subject: 'old' });
  });

  test('a flood of tokens with unknown keys makes one fetch in 30 seconds', async () => {
    await provider.verify(await issuer.sign());
    await issuer.rotateInSecret();
    const flood = await Promise.all(Array.from({ length: 50 }, (_, i) => issuer.sign({}, { kid: `k${i}` })));
    const before = issuer.requests.length;
    const outcomes = async () => {
      const settled = await Promise.allSettled(flood.map((token) => provider.verify(token)));
      return new Set(settled.map((one) => (one.status === 'rejected' ? one.reason.key : 'let in')));
    };
    expect(await outcomes()).toEqual(new Set(['unauthenticated.token']));
    expect(issuer.requests.length - before).toBe(0);
    clock += 31 * SECOND;
    expect(await outcomes()).toEqual(new Set(['unauthenticated.token']));
    expect(issuer.requests.length - before).toBe(2);
  });
});

describe('an issuer that cannot be asked', () => {
  test.each(['down', 'silent', 'garbage', 'redirect', 'endless'] as const)(
    'is %s: 503, never 401, and calls again only after a rest',
    async (mood) => {
      const impatient = newProvider(issuer.url, { timeoutMs: 1_000 });
      const token = await issuer.sign();
      issuer.mood = mood;
      await expect(impatient.verify(token)).rejects.toMatchObject(down);
      await expect(impatient.verify(token)).rejects.toMatchObject(down);
      expect(issuer.requests).toHaveLength(1);
      issuer.mood = 'well';
      clock += 2 * SECOND;
      expect(await impatient.verify(token)).toMatchObject({ subject: 'ana' });
    },
  );

  test('is not there at all', async () => {
    const token = await issuer.sign();
    await issuer.close();
    await expect(provider.verify(token)).rejects.toMatchObject(down);
  });

  test('signs no one out for an hour: the keys there are still hold', async () => {
    const token = await issuer.sign({ exp: seconds(NOON + 3 * 60 * MINUTE) });
    await provider.verify(token);
    issuer.mood = 'down';
    clock += 59 * MINUTE;
    expect(await provider.verify(token)).toMatchObject({ subject: 'ana' });
    clock += 2 * MINUTE;
    await expect(provider.verify(token)).rejects.toMatchObject(down);
  });

  test('leaves open whether an unknown key is good: 503', async () => {
    await provider.verify(await issuer.sign());
    await issuer.rotate();
    issuer.mood = 'down';
    clock += 31 * SECOND;
    await expect(provider.verify(await issuer.sign())).rejects.toMatchObject(down);
  });

  test('that speaks for another is refused', async () => {
    const other = await startOidcIssuer({ now: () => clock });
    const viaAlias = newProvider(other.url.replace('127.0.0.1', 'localhost'));
    await expect(viaAlias.verify(await other.sign())).rejects.toMatchObject(down);
    await other.close();
  });
});
