import { version } from '../src/version.ts';
import { ADDRESSES } from './addresses.ts';

const KEY = {
  description: 'API key of the Stallhand server',
  isRequired: true,
  isSecret: true,
  placeholder: 'sh_live_…',
};

/** The bundle for desktop clients, once it is built. */
type Bundle = { readonly file: string; readonly sha256: string };

/** What the MCP registry is told, in its schema of 2025-12-11. */
export function serverJson(bundle?: Bundle): string {
  const entry = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: ADDRESSES.registry,
    title: 'Stallhand',
    description: 'Email templates, videos, hooks and Shopify–Sheets sync for people who sell online.',
    repository: { url: ADDRESSES.source, source: 'github' },
    version,
    packages: [npmPackage(), image(), ...(bundle ? [connectBundle(bundle)] : [])],
    remotes: [remote()],
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}

function npmPackage() {
  return {
    registryType: 'npm',
    registryBaseUrl: 'https://registry.npmjs.org',
    identifier: 'stallhand',
    version,
    runtimeHint: 'npx',
    transport: { type: 'stdio' },
    packageArguments: [{ type: 'positional', value: 'mcp' }],
    environmentVariables: [dataFolder('Folder of the embedded database')],
  };
}

function image() {
  return {
    registryType: 'oci',
    identifier: `${ADDRESSES.image}:${version}`,
    runtimeHint: 'docker',
    transport: { type: 'stdio' },
    runtimeArguments: [
      { type: 'named', name: '--volume', value: 'stallhand:/data', description: 'Keeps the database' },
    ],
    packageArguments: ['node', 'bin/stallhand.cjs', 'mcp'].map((value) => ({ type: 'positional', value })),
  };
}

function connectBundle({ file, sha256 }: Bundle) {
  return {
    registryType: 'mcpb',
    identifier: `${ADDRESSES.source}/releases/download/v${version}/${file}`,
    version,
    fileSha256: sha256,
    transport: { type: 'stdio' },
    environmentVariables: [
      { name: 'STALLHAND_URL', description: 'Address of the Stallhand server', isRequired: true },
      { name: 'STALLHAND_API_KEY', ...KEY },
    ],
  };
}

function remote() {
  return {
    type: 'streamable-http',
    url: 'https://{host}/mcp',
    variables: {
      host: {
        description: 'Host of your Stallhand server',
        isRequired: true,
        placeholder: 'stallhand.example.com',
      },
    },
    headers: [
      {
        name: 'Authorization',
        description: 'The API key',
        isRequired: true,
        isSecret: true,
        value: 'Bearer {api_key}',
        variables: { api_key: KEY },
      },
    ],
  };
}

function dataFolder(description: string) {
  return { name: 'DATA_DIR', description, format: 'filepath', default: './data' };
}
