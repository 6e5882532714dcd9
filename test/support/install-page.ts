import { readFileSync } from 'node:fs';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';

const Settings = z
  .strictObject({
    type: z.enum(['stdio', 'http']).optional(),
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    startup_timeout_sec: z.int().optional(),
    url: z.url().optional(),
    httpUrl: z.url().optional(),
    serverUrl: z.url().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    bearer_token_env_var: z.literal('STALLHAND_API_KEY').optional(),
  })
  .refine(
    ({ command, url, httpUrl, serverUrl }) => [command, url, httpUrl, serverUrl].filter(Boolean).length === 1,
  );
const Servers = z.object({ stallhand: Settings });
const File = z.union([
  z.strictObject({ mcpServers: Servers }).transform(({ mcpServers }) => mcpServers),
  z.strictObject({ mcp_servers: Servers }).transform(({ mcp_servers }) => mcp_servers),
  z
    .strictObject({ inputs: z.array(z.unknown()).optional(), servers: Servers })
    .transform(({ servers }) => servers),
]);

/** One example of docs/guides/install.md: a command to start, or an address with headers. */
export type InstallExample = { readonly client: string } & (
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
);

/** What the page shows, with the placeholders of each client filled as it would fill them. */
export function installExamples(key: string): InstallExample[] {
  const page = readFileSync(new URL('../../docs/guides/install.md', import.meta.url), 'utf8');
  return page.split('\n## ').flatMap((section) => {
    const [client = ''] = section.split('\n');
    return [...section.matchAll(/```(json|toml)\n([\s\S]*?)```/g)].map(([, language, text = '']) =>
      read(client, language === 'toml' ? parseToml(text) : JSON.parse(text), key),
    );
  });
}

function read(client: string, file: unknown, key: string): InstallExample {
  const settings = File.parse(file).stallhand;
  const { command, args = [], url, httpUrl, serverUrl } = settings;
  const fill = (values: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value, key)]));
  if (command !== undefined) return { client, command, args, env: fill(settings.env) };
  const bearer = settings.bearer_token_env_var && { Authorization: `Bearer ${key}` };
  const headers = { ...fill(settings.headers), ...bearer };
  return { client, url: url ?? httpUrl ?? serverUrl ?? '', headers };
}

const PLACEHOLDERS =
  /\$\{(env:)?STALLHAND_API_KEY\}|\$STALLHAND_API_KEY|\$\{input:stallhand-key\}|sh_live_…/g;

function filled(value: string, key: string): string {
  return value.replaceAll(PLACEHOLDERS, key);
}
