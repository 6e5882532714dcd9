import { version } from '../src/version.ts';
import { ADDRESSES } from './addresses.ts';

const common = {
  manifest_version: '0.3',
  version,
  author: { name: 'Stallhand', url: ADDRESSES.source },
  repository: { type: 'git', url: ADDRESSES.source },
  tools_generated: true,
  prompts_generated: true,
};

/** The manifest of the bundle that reaches a server elsewhere. */
export const connectManifest = {
  ...common,
  name: 'stallhand-connect',
  display_name: 'Stallhand (your server)',
  description: 'Email templates, videos, hooks and stock sync of your Stallhand server.',
  server: {
    type: 'node',
    entry_point: 'connect.js',
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/connect.js`],
      env: { STALLHAND_URL: `\${user_config.url}`, STALLHAND_API_KEY: `\${user_config.api_key}` },
    },
  },
  user_config: {
    url: {
      type: 'string',
      title: 'Address of the server',
      description: 'Such as https://stallhand.example.com',
      required: true,
    },
    api_key: {
      type: 'string',
      title: 'API key',
      description: 'Created by the owner of the account; leave it empty for a server on this machine.',
      sensitive: true,
      required: false,
      default: '',
    },
  },
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=22.0.0' } },
};

/** The manifest of the bundle that is the whole product, with its data on this machine. */
export const localManifest = {
  ...common,
  name: 'stallhand-local',
  display_name: 'Stallhand (this machine)',
  description: 'Email templates, videos, hooks and stock sync, with all data on this machine.',
  server: {
    type: 'node',
    entry_point: 'bin/stallhand.cjs',
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/bin/stallhand.cjs`, 'mcp'],
      env: { DATA_DIR: `\${user_config.data}`, STALLHAND_URL: '' },
    },
  },
  user_config: {
    data: {
      type: 'directory',
      title: 'Data folder',
      description: 'Where templates, videos and the database are kept. Several assistants can share it.',
      required: true,
      default: `\${HOME}/stallhand`,
    },
  },
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=24.0.0' } },
};
