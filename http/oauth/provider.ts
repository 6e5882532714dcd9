import { generateKeyPairSync, hash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import Provider, {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { APP_SCOPES } from '../../src/identity/caller.ts';
import { APP_TTL_MS } from '../../src/identity/connected-apps/connected-apps.ts';
import type { OauthStore } from '../../src/identity/connected-apps/oauth-store.ts';
import type { FetchJson } from '../../src/platform/guarded-fetch/guarded-fetch.ts';
import { isSameSecret } from '../../src/platform/is-same-secret.ts';
import type { Log } from '../../src/platform/log.ts';
import { createAdapter } from './adapter.ts';
import type { DevicePages } from './device-pages.ts';
import { PATHS, resourcesAt, SCOPES_TO_ASK } from './metadata.ts';

type Deps = {
  readonly store: OauthStore;
  /** Gets metadata documents of clients: public addresses only, bounded. */
  readonly fetchJson: FetchJson;
  readonly log: Log;
  readonly pages: DevicePages;
};

/** The command line of the product, which signs in with a code for a device. */
const CLI_CLIENT_ID = 'stallhand-cli';

const DAY = 86_400;
/** Seconds. */
const TTL = {
  accessToken: 3600,
  code: 60,
  device: 600,
  interaction: 1200,
  refreshToken: 30 * DAY,
  grant: APP_TTL_MS / 1000,
};

/**
 * The authorization server at one base URL. In: who may ask for what. Out: codes and tokens. Invariants: PKCE with S256,
 * one resource of this server for each token, a person agrees each time, and no secret is stored.
 */
export async function createProvider(
  base: string,
  { store, fetchJson, log, pages }: Deps,
): Promise<Provider> {
  const scope = APP_SCOPES.join(' ');
  const isSecure = base.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax' as const, signed: true, secure: isSecure };
  const configuration: Configuration = {
    adapter: createAdapter(store),
    clients: [
      {
        client_id: CLI_CLIENT_ID,
        client_name: 'Stallhand CLI',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    // Native: consent each time, and a loopback redirect may have any port.
    clientDefaults: {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'none',
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => true,
    cookies: {
      names: {
        session: 'stallhand_oauth',
        interaction: 'stallhand_oauth_visit',
        resume: 'stallhand_oauth_resume',
      },
      keys: [await store.mac('oauth_cookies', base)],
      long: cookie,
      short: cookie,
    },
    expiresWithSession: () => false,
    fetch: async (url) => {
      const document = await fetchJson(String(url), AbortSignal.timeout(5000));
      return new Response(JSON.stringify(document, withoutScope), {
        headers: { 'content-type': 'application/json' },
      });
    },
    features: {
      clientCredentials: { enabled: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: 300, max: DAY },
      },
      devInteractions: { enabled: false },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: pages.askCode,
        userCodeConfirmSource: pages.confirmCode,
        successSource: pages.done,
      },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) =>
          Array.isArray(oneOf) ? (oneOf[0] ?? base) : (oneOf ?? base),
        getResourceServerInfo: (ctx, resource) => {
          if (!resourcesAt(base).includes(resource)) throw new errors.InvalidTarget();
          settleScope(ctx);
          return { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: TTL.accessToken };
        },
        useGrantedResource: () => true,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    interactions: { policy: askEachTime(), url: (_ctx, { uid }) => `${pathOf(base)}${PATHS.signIn}/${uid}` },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Only of ID tokens, which are never issued.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    loadExistingGrant: (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    pkce: { required: () => true },
    renderError: pages.failed,
    responseTypes: ['code'],
    // A client that gives up a token gives up the connection.
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes: {
      authorization: PATHS.authorize,
      code_verification: PATHS.device,
      device_authorization: PATHS.deviceAuthorization,
      jwks: '/oauth/jwks',
      registration: PATHS.register,
      revocation: PATHS.revoke,
      token: PATHS.token,
    },
    // What clients may name when they register; what they get is decided by the person, for a resource.
    scopes: [...APP_SCOPES, 'openid', 'profile', 'email', 'offline_access'],
    ttl: {
      AccessToken: TTL.accessToken,
      AuthorizationCode: TTL.code,
      DeviceCode: TTL.device,
      Grant: TTL.grant,
      Interaction: TTL.interaction,
      RefreshToken: TTL.refreshToken,
      // It carries the form of a device code; a sign-in is for one program.
      Session: (_ctx, session) => (session.accountId === undefined ? TTL.device : 1),
    },
  };
  const provider = new Provider(base, configuration);
  // The addresses in the answers are those of `base`; see `oauth.ts`, which sets the headers that this trusts.
  provider.proxy = true;
  prefixTokens(provider);
  compareHashedSecrets(provider);
  keepPublicClients(provider);
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'oauth'));
  const koa: EventEmitter = provider;
  koa.on('error', (error: unknown) => log.error({ err: error }, 'oauth'));
  return provider;
}

export function pathOf(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '');
}

/** A request without scopes of ours gets those of everyday work. Others than ours are dropped. */
function settleScope({ oidc }: KoaContextWithOIDC): void {
  if (!['authorization', 'device_authorization'].includes(oidc.route) || !oidc.params) return;
  // What a client named when it registered does not bind it: it may ask for more later, and a person decides.
  if (oidc.client) Reflect.set(oidc.client, 'scope', undefined);
  const asked = String(oidc.params['scope'] ?? '').split(' ');
  const ours = APP_SCOPES.filter((one) => asked.includes(one));
  oidc.params['scope'] = (ours.length > 0 ? ours : SCOPES_TO_ASK).join(' ');
}

/** What a client publishes, without the scopes it means to ask for: those are asked for again each time. */
function withoutScope(name: string, value: unknown): unknown {
  return name === 'scope' ? undefined : value;
}

/** A person agrees to every connection, even to one like an earlier one. */
function askEachTime() {
  const policy = interactionPolicy.base();
  policy
    .get('consent')
    ?.checks.add(
      new interactionPolicy.Check(
        'ask_each_time',
        'a person has to agree',
        'consent_required',
        ({ oidc }) => oidc.result?.consent === undefined,
      ),
    );
  return policy;
}

/** So that a leaked token is recognized, and so that the product tells its credentials apart. */
function prefixTokens(provider: Provider): void {
  for (const [model, prefix] of [
    [provider.AccessToken, 'oat_'],
    [provider.RefreshToken, 'ort_'],
  ] as const) {
    const generate: unknown = Reflect.get(model.prototype, 'generateTokenId');
    if (typeof generate !== 'function') throw new Error('tokens cannot be given a prefix');
    Reflect.set(model.prototype, 'generateTokenId', function (this: unknown) {
      return `${prefix}${generate.call(this)}`;
    });
  }
}

/** A client that names no way to authenticate registers as a public one, and so gets no secret. */
function keepPublicClients({ Client }: Provider): void {
  const needsSecret: unknown = Reflect.get(Client, 'needsSecret');
  if (typeof needsSecret !== 'function') throw new Error('registration cannot be told who needs a secret');
  Reflect.set(Client, 'needsSecret', (metadata: object) =>
    needsSecret.call(Client, { token_endpoint_auth_method: 'none', ...metadata }),
  );
}

/** The store has the SHA-256 of a client's secret. */
function compareHashedSecrets(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function (actual: string) {
    return isSameSecret(this.clientSecret ?? '', hash('sha256', actual));
  };
}
