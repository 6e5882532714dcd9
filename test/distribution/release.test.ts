import { readFileSync } from 'node:fs';
import { v0_3 } from '@anthropic-ai/mcpb';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { ADDRESSES } from '../../distribution/addresses.ts';
import { connectManifest, localManifest } from '../../distribution/manifests.ts';
import { serverJson } from '../../distribution/server-json.ts';

const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const json = (file: string) => JSON.parse(text(file));

test('package.json has the version, and everything that is published has the same', () => {
  const { version } = json('package.json');
  const lock = json('package-lock.json');
  const registry = json('server.json');
  const [npm, image] = registry.packages;
  expect({
    lock: lock.version,
    root: lock.packages[''].version,
    registry: registry.version,
    npm: npm.version,
    image: image.identifier.split(':')[1],
    connect: connectManifest.version,
    local: localManifest.version,
    openapi: json('docs/openapi.json').info.version,
  }).toEqual({
    lock: version,
    root: version,
    registry: version,
    npm: version,
    image: version,
    connect: version,
    local: version,
    openapi: version,
  });
  const named = [...text('docs/guides/install.md').matchAll(/stallhand-(?:[a-z]+-)?(\d+\.\d+\.\d+)/g)];
  expect([...new Set(named.map(([, each]) => each))]).toEqual([version]);
});

test('package and image say the name that the registry looks for', () => {
  expect(json('package.json').mcpName).toBe(ADDRESSES.registry);
  expect(text('Dockerfile')).toContain(`LABEL io.modelcontextprotocol.server.name="${ADDRESSES.registry}"`);
  expect(json('server.json').name).toBe(ADDRESSES.registry);
});

test('nothing is published by accident, and the package brings no Node', () => {
  const { private: unpublished, dependencies, devDependencies, engines, files } = json('package.json');
  expect(unpublished).toBe(true);
  expect(files).toEqual(['bin', 'dist']);
  expect(engines).toEqual({ node: '>=24' });
  expect(dependencies).not.toHaveProperty('node');
  expect(devDependencies.node).toMatch(/^24\./);
});

// What the registry's schema of 2025-12-11 asks of the members that server.json has, and no other members.
const INPUT = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    format: { enum: ['string', 'number', 'boolean', 'filepath'] },
    default: { type: 'string' },
    placeholder: { type: 'string' },
    value: { type: 'string' },
    variables: { type: 'object', additionalProperties: { type: 'object' } },
  },
};
const NAMED = { ...INPUT, required: ['name'] };
const ARGUMENT = {
  ...INPUT,
  properties: { ...INPUT.properties, type: { enum: ['positional', 'named'] } },
  required: ['type', 'value'],
};
const REGISTRY = {
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'name', 'description', 'version', 'packages', 'remotes'],
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', maxLength: 200 },
    title: { type: 'string', maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    repository: {
      type: 'object',
      additionalProperties: false,
      required: ['url', 'source'],
      properties: { url: { type: 'string', pattern: '^https://' }, source: { const: 'github' } },
    },
    packages: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['registryType', 'identifier', 'transport'],
        properties: {
          registryType: { enum: ['npm', 'oci', 'mcpb'] },
          registryBaseUrl: { const: 'https://registry.npmjs.org' },
          identifier: { type: 'string' },
          version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
          fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
          runtimeHint: { enum: ['npx', 'docker'] },
          transport: { const: { type: 'stdio' } },
          runtimeArguments: { type: 'array', items: ARGUMENT },
          packageArguments: { type: 'array', items: ARGUMENT },
          environmentVariables: { type: 'array', items: NAMED },
        },
        // A bundle is checked by its hash; an image has its version in its name.
        allOf: [
          {
            if: { properties: { registryType: { const: 'mcpb' } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: { required: ['version', 'fileSha256'] },
          },
          {
            if: { properties: { registryType: { const: 'oci' } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: {
              properties: {
                identifier: { pattern: '^[a-z0-9.]+/[a-z0-9./-]+:\\d+\\.\\d+\\.\\d+$' },
                version: false,
              },
            },
          },
        ],
      },
    },
    remotes: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'url'],
        properties: {
          type: { enum: ['streamable-http', 'sse'] },
          url: { type: 'string', pattern: '^https?://[^\\s]+$' },
          variables: { type: 'object', additionalProperties: INPUT },
          headers: { type: 'array', items: NAMED },
        },
      },
    },
  },
};

test('server.json is what the registry takes, with and without the bundle', () => {
  const check = new Ajv({ allErrors: true, strict: false }).compile(REGISTRY);
  const bundled = serverJson({ file: 'stallhand-connect.mcpb', sha256: 'a'.repeat(64) });
  for (const entry of [json('server.json'), JSON.parse(bundled)]) {
    check(entry);
    expect(check.errors ?? []).toEqual([]);
  }
  expect(JSON.parse(bundled).packages.map((each: { registryType: string }) => each.registryType)).toEqual([
    ...['npm', 'oci', 'mcpb'],
  ]);
  check({
    ...json('server.json'),
    packages: [{ registryType: 'mcpb', identifier: 'x', transport: { type: 'stdio' } }],
  });
  expect(check.errors?.map(({ message }) => message)).toContain("must have required property 'fileSha256'");
});

test('every placeholder of the remote server is a variable', () => {
  const [remote] = json('server.json').remotes;
  const used = (value: string) => [...value.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(used(remote.url)).toEqual(Object.keys(remote.variables));
  expect(used(remote.headers[0].value)).toEqual(Object.keys(remote.headers[0].variables));
});

test.each([connectManifest, localManifest])('the manifest of $name is valid', (manifest) => {
  expect(v0_3.McpbManifestSchema.safeParse(manifest).error).toBeUndefined();
});

test('the key of the bundle is kept as a secret, and is in no argument', () => {
  const { user_config, server } = connectManifest;
  expect(user_config.api_key.sensitive).toBe(true);
  expect(server.mcp_config.args.join(' ')).not.toContain('api_key');
});
