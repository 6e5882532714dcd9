import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installPackages } from './install.ts';

/** How a client starts a server over stdio. */
export type Launch = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** How a client is started. */
type Start = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** A client that people use, run without a person. `home` is its home folder, `model` the origin of the model's server. */
export type RealClient = {
  readonly name: string;
  /** On npm. */
  readonly package: string;
  readonly bin: string;
  /** Whether it passes pictures on to a model; else it shows them to the person. */
  readonly passesPictures: boolean;
  prepare(server: Launch, home: string, model: string): Start;
  /** For a client that signs in at a server elsewhere. */
  readonly remote?: {
    /** The words of the command that signs in. */
    readonly signIn: readonly string[];
    prepare(url: string, home: string, model: string): Start;
  };
};

const TASK = 'Make a template, look at it, and export it.';

export const REAL_CLIENTS: readonly RealClient[] = [
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code@2.1.330',
    bin: 'claude',
    passesPictures: true,
    prepare(server, home, model) {
      const config = save(home, 'mcp.json', { mcpServers: { stallhand: { type: 'stdio', ...server } } });
      return {
        args: ['-p', TASK, '--mcp-config', config, '--strict-mcp-config', '--allowedTools', 'mcp__stallhand'],
        env: claudeCodeEnv(model),
      };
    },
    remote: {
      signIn: ['mcp', 'login', 'stallhand'],
      prepare(url, home, model) {
        save(home, '.claude.json', { mcpServers: { stallhand: { type: 'http', url } } });
        return { args: ['-p', TASK, '--allowedTools', 'mcp__stallhand'], env: claudeCodeEnv(model) };
      },
    },
  },
  {
    name: 'Codex',
    package: '@openai/codex@0.169.0',
    bin: 'codex',
    passesPictures: true,
    prepare({ command, args, env }, home, model) {
      const values = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
      const server = `command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
required = true
[mcp_servers.stallhand.env]
${values.join('\n')}`;
      return startCodex(server, home, model);
    },
    remote: {
      signIn: ['mcp', 'login', 'stallhand'],
      prepare: (url, home, model) => startCodex(`url = "${url}"\nrequired = true`, home, model),
    },
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli@0.61.0',
    bin: 'gemini',
    passesPictures: true,
    prepare(server, home, model) {
      save(home, '.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { stallhand: { ...server, trust: true } },
      });
      return {
        args: ['-p', TASK, '--yolo', '-m', 'gemini-2.5-flash'],
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      };
    },
  },
  {
    name: 'Copilot CLI',
    package: '@github/copilot@1.0.102',
    bin: 'copilot',
    passesPictures: false,
    prepare(server, home, model) {
      save(home, '.copilot/mcp-config.json', {
        mcpServers: { stallhand: { type: 'local', ...server, tools: ['*'] } },
      });
      return {
        args: ['-p', TASK, '--allow-all-tools', '--no-color'],
        env: {
          COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
          COPILOT_PROVIDER_TYPE: 'openai',
          COPILOT_PROVIDER_API_KEY: 'none',
          COPILOT_MODEL: 'gpt-4.1',
          COPILOT_OFFLINE: 'true',
        },
      };
    },
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.8',
    bin: 'opencode',
    passesPictures: true,
    prepare: ({ command, args, env }, home, model) =>
      startOpencode({ type: 'local', command: [command, ...args], environment: env }, home, model),
    remote: {
      signIn: ['mcp', 'auth', 'stallhand'],
      prepare: (url, home, model) => startOpencode({ type: 'remote', url }, home, model),
    },
  },
];

/** OpenAI's SDK for assistants. */
export const AGENTS_SDK = '@openai/agents@0.20.0';

/** Installs all of them. @returns the folder */
export const installClients = (): Promise<string> =>
  installPackages(
    [...REAL_CLIENTS.map((client) => client.package), AGENTS_SDK],
    ['@anthropic-ai/claude-code', 'opencode-ai'],
  );

function claudeCodeEnv(model: string) {
  return {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // It would search for tools first, with a tool of its own.
    ENABLE_TOOL_SEARCH: 'false',
  };
}

function startCodex(server: string, home: string, model: string): Start {
  const config = `
model = "gpt-5"
model_provider = "scripted"
# Not in a keyring, which a machine may not have.
mcp_oauth_credentials_store = "file"
[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
env_key = "MODEL_KEY"
wire_api = "responses"
[mcp_servers.stallhand]
${server}
`;
  const file = save(home, '.codex/config.toml', config);
  return {
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', TASK],
    env: { CODEX_HOME: dirname(file), MODEL_KEY: 'none' },
  };
}

function startOpencode(server: object, home: string, model: string): Start {
  const modalities = { input: ['text', 'image'], output: ['text'] };
  save(home, '.config/opencode/opencode.json', {
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/scripted',
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${model}/v1`, apiKey: 'none' },
        models: { scripted: { tool_call: true, attachment: true, modalities } },
      },
    },
    mcp: { stallhand: { ...server, enabled: true } },
  });
  return {
    args: ['run', TASK],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
  };
}

function save(home: string, path: string, content: string | object): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
