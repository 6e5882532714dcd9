import type { ClientAuth, Configuration } from 'openid-client';
import { z } from 'zod';
import { Fault } from '../errors.ts';
import type { SignInProvider, SignInProviders, VisitSecrets } from '../identity/sign-in/browser-sign-in.ts';
import type { VerifiedIdentity } from '../identity/users/external-users.ts';
import { identityOf } from './oidc/oidc.ts';

const TIMEOUT_SECONDS = 5;
const DISCOVERY_TTL_MS = 60 * 60_000;

type ProviderSettings = {
  /** Its name in paths; github has its own dialect. */
  readonly id: string;
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

type Client = typeof import('openid-client');
type Tokens = Awaited<ReturnType<Client['authorizationCodeGrant']>>;

/** How issuers differ: how they are found, what to ask for, and where the person's claims are. */
type Dialect = {
  readonly scope: string;
  readonly sendsIdToken: boolean;
  /** `now`: milliseconds since 1970. */
  configure(client: Client, provider: ProviderSettings, now: () => number): Promise<Configuration>;
  identify(
    client: Client,
    config: Configuration,
    tokens: Tokens,
    now: () => number,
  ): Promise<VerifiedIdentity>;
};

/** Identity providers with a sign-in page, by authorization code with PKCE, state and nonce. */
export function createSignInProviders(
  configs: readonly ProviderSettings[],
  now: () => number = Date.now,
): SignInProviders {
  return new Map(configs.map((one) => [one.id, open(one, one.id === 'github' ? GITHUB : OPENID, now)]));
}

function open(provider: ProviderSettings, dialect: Dialect, now: () => number): SignInProvider {
  let known: { readonly config: Promise<Configuration>; readonly until: number } | undefined;
  const { label, issuer } = provider;
  return {
    label,
    issuer,

    async start(redirectUri, { state, nonce, codeVerifier }) {
      const client = await import('openid-client');
      const config = await configuration(client);
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: dialect.scope,
        state,
        ...(dialect.sendsIdToken && { nonce }),
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async finish(currentUrl, secrets) {
      const client = await import('openid-client');
      const config = await configuration(client);
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(currentUrl), checks(secrets));
        return await dialect.identify(client, config, tokens, now);
      } catch (error) {
        throw faultOf(error);
      }
    },
  };

  function checks({ state, nonce, codeVerifier }: VisitSecrets) {
    const pkce = { expectedState: state, pkceCodeVerifier: codeVerifier };
    return dialect.sendsIdToken ? { ...pkce, expectedNonce: nonce, idTokenExpected: true } : pkce;
  }

  function configuration(client: Client): Promise<Configuration> {
    if (known && known.until > now()) return known.config;
    const config = dialect.configure(client, provider, now).catch((cause: unknown) => {
      // A failed discovery is not remembered.
      known = undefined;
      throw new Fault('unavailable.identity_provider', {}, { retryAfterSeconds: 5, cause });
    });
    known = { config, until: now() + DISCOVERY_TTL_MS };
    return config;
  }
}

const OPENID: Dialect = {
  scope: 'openid email profile',
  sendsIdToken: true,

  async configure(client, { issuer, clientId, clientSecret }, now) {
    const execute = [client.enableNonRepudiationChecks, ...insecureOnThisMachine(client, issuer)];
    const options = { execute, timeout: TIMEOUT_SECONDS };
    // Seconds that the machine's clock is behind: tokens are checked by it.
    const metadata = { [client.clockSkew]: Math.round((now() - Date.now()) / 1000) };
    return client.discovery(new URL(issuer), clientId, metadata, clientAuth(client, clientSecret), options);
  },

  async identify(client, config, tokens, now) {
    const claims = tokens.claims();
    if (!claims) throw new Fault('unauthenticated.provider');
    // Some issuers send only the subject in the ID token.
    const isShort = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
    const more = isShort ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
    return identityOf({ ...more, ...claims }, now());
  },
};

const GitHubUser = z.object({
  id: z.number().int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().optional(),
});
const GitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** OAuth without OpenID Connect: the person and their verified address come from GitHub's API. */
const GITHUB: Dialect = {
  scope: 'read:user user:email',
  sendsIdToken: false,

  async configure(client, { issuer, clientId, clientSecret }) {
    const server = {
      issuer,
      authorization_endpoint: `${issuer}/login/oauth/authorize`,
      token_endpoint: `${issuer}/login/oauth/access_token`,
    };
    const config = new client.Configuration(
      server,
      clientId,
      undefined,
      client.ClientSecretPost(clientSecret),
    );
    config.timeout = TIMEOUT_SECONDS;
    for (const allow of insecureOnThisMachine(client, issuer)) allow(config);
    return config;
  },

  async identify(client, config, { access_token }, now) {
    const { issuer } = config.serverMetadata();
    // GitHub Enterprise has its API under its own address.
    const api = issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;
    const read = async (path: string): Promise<unknown> => {
      const response = await client.fetchProtectedResource(
        config,
        access_token,
        new URL(`${api}${path}`),
        'GET',
        null,
        new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'stallhand' }),
      );
      if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
      return response.json();
    };
    const user = GitHubUser.parse(await read('/user'));
    const email = GitHubEmails.parse(await read('/user/emails')).find((one) => one.primary);
    return identityOf(
      {
        iss: issuer,
        sub: String(user.id),
        exp: 0,
        name: user.name ?? user.login,
        ...(email && { email: email.email, email_verified: email.verified }),
        ...(user.avatar_url !== undefined && { picture: user.avatar_url }),
      },
      now(),
    );
  },
};

/** The settings allow http only for issuers on this machine. */
function insecureOnThisMachine(client: Client, issuer: string) {
  return new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : [];
}

/** In the body where the issuer says it may be; otherwise in the header, which every issuer must support. */
function clientAuth(client: Client, secret: string): ClientAuth {
  return (server, ...rest) => {
    const inBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    (inBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret))(server, ...rest);
  };
}

function faultOf(cause: unknown): Fault {
  if (cause instanceof Fault && cause.key.startsWith('unavailable.')) return cause;
  if (isOutage(cause)) return new Fault('unavailable.identity_provider', {}, { retryAfterSeconds: 5, cause });
  const isDenied = cause instanceof Error && 'error' in cause && cause.error === 'access_denied';
  return new Fault(isDenied ? 'unauthenticated.provider_denied' : 'unauthenticated.provider', {}, { cause });
}

function isOutage(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if (cause.name === 'TimeoutError' || ('code' in cause && cause.code === 'OAUTH_TIMEOUT')) return true;
  if (cause instanceof TypeError && cause.message === 'fetch failed') return true;
  return cause.cause instanceof Response && cause.cause.status >= 500;
}
