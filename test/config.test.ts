import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
    defaultLanguage: 'en',
    logLevel: 'info',
  });
});

test('every fault is told at once', () => {
  const read = () =>
    readConfig({ PORT: 'eighty', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud', MCP_ENABLED: 'perhaps' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/PORT: [^\n]+\n(.|\n)*DATABASE_URL: (.|\n)*MCP_ENABLED: (.|\n)*LOG_LEVEL: /);
});

test('on any other address a credential is required', () => {
  expect(readConfig({ HOST: '0.0.0.0' }).authMode).toBe('required');
});

test('open mode on an address others reach is refused', () => {
  expect(() => readConfig({ HOST: '0.0.0.0', AUTH_MODE: 'open' })).toThrow(
    /AUTH_MODE: open is refused on HOST 0\.0\.0\.0/,
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
