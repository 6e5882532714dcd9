import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mapProviders, PROVIDERS } from '../src/ai/providers.ts';
import { ConfigError, readConfig } from '../src/config.ts';

test('without any setting the server is open on the loopback address with the embedded database', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    loopback: true,
    databaseUrl: undefined,
    dataDir: './data',
    migrateOnStart: true,
    mcpEnabled: false,
    toolSelection: {
      toolsets: undefined,
      tools: undefined,
      exclude: undefined,
      readOnly: false,
      structured: false,
    },
    toolsPath: undefined,
    authMode: 'open',
    publicUrl: undefined,
    allowedHosts: [],
    allowedOrigins: [],
    signUp: 'open',
    signUpDomains: [],
    mcpApiKey: undefined,
    aiProviders: mapProviders((id) => ({
      apiKey: undefined,
      baseUrl: undefined,
      model: PROVIDERS[id].model,
    })),
    aiPrices: undefined,
    aiModels: undefined,
    aiOwnKeysToBaseUrl: false,
    aiDailyBudget: Number.POSITIVE_INFINITY,
    aiAccountDailyBudget: Number.POSITIVE_INFINITY,
    hooksByokFree: true,
    anonymousHooks: 3,
    anonymousHooksTotal: 300,
    defaultLanguage: 'en',
    browserPath: undefined,
    browserPages: undefined,
    timeLimitFactor: 1,
    stripeCurrency: 'usd',
    stripeCheckout: { automaticTax: false, taxIds: true, billingAddress: 'auto', promotionCodes: true },
    stripeTrialDays: 0,
    shopifyApiVersion: '2026-10',
    googleAccess: 'picked',
    syncDemo: true,
    drainSeconds: undefined,
    logLevel: 'info',
  });
});

test('the operator selects what MCP serves', () => {
  const env = {
    TOOLSETS: 'videos, meta',
    TOOLS: 'get_template',
    EXCLUDE_TOOLS: 'run_tool',
    READ_ONLY: 'true',
    STRUCTURED_OUTPUT: 'true',
  };
  expect(readConfig(env).toolSelection).toEqual({
    toolsets: ['videos', 'meta'],
    tools: ['get_template'],
    exclude: ['run_tool'],
    readOnly: true,
    structured: true,
  });
});

test('every fault is told at once', () => {
  const read = () =>
    readConfig({
      PORT: 'eighty',
      DATABASE_URL: 'mysql://x',
      OIDC_ISSUER: 'nowhere',
      LOG_LEVEL: 'loud',
      MCP_ENABLED: 'perhaps',
    });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(
    /PORT: [^\n]+\n(.|\n)*DATABASE_URL: (.|\n)*MCP_ENABLED: (.|\n)*OIDC_ISSUER: (.|\n)*LOG_LEVEL: /,
  );
});

test('on any other address a credential is required', () => {
  expect(readConfig({ HOST: '0.0.0.0' }).authMode).toBe('required');
});

test('open mode on an address others reach is refused', () => {
  expect(() => readConfig({ HOST: '0.0.0.0', AUTH_MODE: 'open' })).toThrow(
    /AUTH_MODE: open is not allowed on HOST 0\.0\.0\.0/,
  );
});

test('behind a proxy for others a credential is required too, and open mode refused', () => {
  expect(readConfig({ PUBLIC_URL: 'https://shop.example.com' }).authMode).toBe('required');
  expect(readConfig({ PUBLIC_URL: 'http://localhost:8080' }).authMode).toBe('open');
  expect(() => readConfig({ PUBLIC_URL: 'https://shop.example.com', AUTH_MODE: 'open' })).toThrow(
    /AUTH_MODE: open is not allowed with PUBLIC_URL https:\/\/shop\.example\.com/,
  );
});

test('a secret may come from a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'stallhand-config-')), 'url');
  writeFileSync(file, 'postgres://db/shop\n');
  expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://db/shop');
  expect(() => readConfig({ DATABASE_URL_FILE: `${file}.gone` })).toThrow(/DATABASE_URL_FILE: cannot read/);
});

test('an empty setting counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 8080, databaseUrl: undefined });
});

test.each([
  ['10.0.0.0/40', '10.0.0.0/40'],
  ['loopback, proxy.example.com', 'proxy.example.com'],
  ['true', 'true'],
])('TRUSTED_PROXIES %s is refused at start, naming what is wrong', (value, wrong) => {
  expect(() => readConfig({ TRUSTED_PROXIES: value })).toThrow(
    new ConfigError(
      `TRUSTED_PROXIES: '${wrong}' is not an address, a CIDR range, loopback, linklocal or uniquelocal`,
    ),
  );
});

test('TRUSTED_PROXIES takes addresses, ranges and groups', () => {
  expect(readConfig({ TRUSTED_PROXIES: 'loopback, 10.1.2.3, 2001:db8::/32' }).trustedProxies).toEqual([
    'loopback',
    '10.1.2.3/32',
    '2001:db8::/32',
  ]);
});

test.each([
  'https://id.example.com',
  'http://127.0.0.1:9000',
  'http://[::1]:9000',
  'http://localhost/realms/x',
])('the identity provider may be at %s', (issuer) => {
  expect(readConfig({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'shop' }).oidcIssuer).toBe(issuer);
});

test.each([
  'http://id.example.com',
  'http://10.0.0.7',
  'http://localhost.example.com',
  'http://127.0.0.1@evil.example',
])('the identity provider at %s is refused: its keys could be changed on the way', (issuer) => {
  expect(() => readConfig({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'shop' })).toThrow(
    'OIDC_ISSUER: must be an https address; http is only for a provider on this machine',
  );
});

test('where others than the owner may call, AI has a budget unless the operator says none', () => {
  const budgetsOf = (env: Record<string, string>) => {
    const { aiDailyBudget, aiAccountDailyBudget } = readConfig(env);
    return [aiDailyBudget, aiAccountDailyBudget];
  };
  expect(budgetsOf({ AUTH_MODE: 'required' })).toEqual([25, 5]);
  expect(budgetsOf({ AUTH_MODE: 'required', AI_DAILY_BUDGET: '2.5', AI_ACCOUNT_DAILY_BUDGET: '0' })).toEqual([
    2.5, 0,
  ]);
  expect(budgetsOf({ AUTH_MODE: 'required', AI_DAILY_BUDGET: 'none' })).toEqual([
    Number.POSITIVE_INFINITY,
    5,
  ]);
  for (const wrong of ['-1', 'much', '$5'])
    expect(() => readConfig({ AI_DAILY_BUDGET: wrong })).toThrow(
      /^AI_DAILY_BUDGET: must be an amount of US dollars/,
    );
});

test('an allowed origin is scheme, host and port; a path, a star or a mere name is told apart at start', () => {
  const read = (ALLOWED_ORIGINS: string) => readConfig({ ALLOWED_ORIGINS }).allowedOrigins;
  expect(read('http://localhost:5173, https://App.example.com/')).toEqual([
    'http://localhost:5173',
    'https://app.example.com',
  ]);
  for (const wrong of ['*', 'null', 'localhost:5173', 'https://app.example.com/shop', 'file:///a.html'])
    expect(() => read(wrong)).toThrow(`ALLOWED_ORIGINS: '${wrong}' is not an origin`);
});

test('SIGN_IN_PROVIDERS knows the issuers of well-known names, and asks for those of others', () => {
  const client = { client_id: 'id', client_secret: 'secret' };
  const acme = { label: 'Acme', issuer: 'https://id.example.com', ...client };
  const text = JSON.stringify({ google: client, acme });
  const said = { clientId: 'id', clientSecret: 'secret' };
  expect(readConfig({ SIGN_IN_PROVIDERS: text }).signInProviders).toEqual([
    { id: 'google', label: 'Google', issuer: 'https://accounts.google.com', ...said },
    { id: 'acme', label: 'Acme', issuer: 'https://id.example.com', ...said },
  ]);
});

test.each([
  ['{"acme": {"client_id": "id", "client_secret": "secret"}}', 'acme needs an issuer'],
  ['{"acme": {"client_id": "id", "client_secret": "s", "issuer": "http://id.example.com"}}', 'https address'],
  ['{"Acme/..": {"client_id": "id", "client_secret": "secret"}}', 'SIGN_IN_PROVIDERS'],
  ['{"google": {"client_id": "id"}}', 'SIGN_IN_PROVIDERS'],
  ['google', 'must be valid JSON'],
])('SIGN_IN_PROVIDERS is refused: %s', (text, why) => {
  expect(() => readConfig({ SIGN_IN_PROVIDERS: text })).toThrow(why);
});

test('SIGN_IN_PROVIDERS beside OIDC_ISSUER is refused: one of them decides who signs in', () => {
  const text = '{"google": {"client_id": "id", "client_secret": "secret"}}';
  const issuer = { OIDC_ISSUER: 'https://id.example.com', OIDC_AUDIENCE: 'shop' };
  expect(() => readConfig({ SIGN_IN_PROVIDERS: text, ...issuer })).toThrow('SIGN_IN_PROVIDERS: not allowed');
});

test('domains that may sign up are names in lower case; anything else stops the start', () => {
  const { signUp, signUpDomains } = readConfig({
    SIGN_UP: 'open',
    SIGN_UP_DOMAINS: 'Shop.example, @b.example',
  });
  expect([signUp, signUpDomains]).toEqual(['open', ['shop.example', 'b.example']]);
  expect(() => readConfig({ SIGN_UP_DOMAINS: 'https://shop.example' })).toThrow(/SIGN_UP_DOMAINS/);
  expect(() => readConfig({ SIGN_UP: 'all' })).toThrow(/SIGN_UP/);
});

test('a collector with a password or a query in its URL is refused, without quoting it', () => {
  for (const url of ['https://ana:s3cret@otlp.example', 'https://otlp.example/?key=s3cret']) {
    const read = () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect(read).toThrow('must be a URL without user, password and query');
    expect(read).not.toThrow('s3cret');
  }
});

test('NODE_URL is where other nodes reach this one, without a path', () => {
  expect(readConfig({ NODE_URL: 'http://10.0.0.7:8080/' }).nodeUrl).toBe('http://10.0.0.7:8080');
  expect(readConfig({}).nodeUrl).toBeUndefined();
});
