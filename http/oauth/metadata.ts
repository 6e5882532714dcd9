import { APP_SCOPES, DEFAULT_KEY_SCOPES } from '../../src/identity/caller.ts';

/** Paths of the authorization server. */
export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  deviceAuthorization: '/oauth/device_authorization',
  device: '/oauth/device',
  signIn: '/oauth/sign-in',
} as const;

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
export const SERVER_METADATA = '/.well-known/oauth-authorization-server';

/** What a program should ask for at first: work, and nothing about the account. */
export const SCOPES_TO_ASK = DEFAULT_KEY_SCOPES;

/** The protected resources of a server: all of it, and MCP alone. */
export function resourcesAt(base: string): readonly string[] {
  return [base, `${base}/`, `${base}/mcp`];
}

/** Resources that a request to a path is for: a token for MCP works only there. */
export function resourcesOf(base: string, path: string): readonly string[] {
  const isMcp = path === '/mcp' || path === '/sse' || path === '/messages';
  return isMcp ? resourcesAt(base) : [base, `${base}/`];
}

/** RFC 9728. `issuer` is the server that issues the tokens. */
export function resourceMetadata(resource: string, issuer: string) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: APP_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Stallhand',
  };
}

/** RFC 8414. */
export function serverMetadata(base: string) {
  return {
    issuer: base,
    authorization_endpoint: `${base}${PATHS.authorize}`,
    token_endpoint: `${base}${PATHS.token}`,
    revocation_endpoint: `${base}${PATHS.revoke}`,
    registration_endpoint: `${base}${PATHS.register}`,
    device_authorization_endpoint: `${base}${PATHS.deviceAuthorization}`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    scopes_supported: APP_SCOPES,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
}
