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
    toolsets: undefined,
    toolsPath: undefined,
    authMode: 'open',
    publicUrl: undefined,
    allowedHosts: [],
    mcpApiKey: undefined,
    aiProviders: mapProviders((id) => ({
      apiKey: undefined,
      baseUrl: undefined,
      model: PROVIDERS[id].model,
    })),
    aiPrices: undefined,
    hooksByokFree: false,
    anonymousHooks: 3,
    anonymousHooksTotal: 300,
    defaultLanguage: 'en',
    browserPath: undefined,
    browserPages: undefined,
    shopifyApiVersion: '2026-10',
    syncDemo: true,
    logLevel: 'info',
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
    new ConfigError(`TRUSTED_PROXIES: '${wrong}' is not an address, a CIDR range or a group`),
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
