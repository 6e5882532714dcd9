import { readFileSync } from 'node:fs';
import { z } from 'zod';

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'a port is a number from 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65535, 'a port is a number from 0 to 65535');

/** Every setting there is. `.env.example` and the table in docs/settings.md are generated from it. */
export const SETTINGS = {
  PORT: setting(port, '8080', 'Port to listen on.'),
  HOST: setting(z.string(), '127.0.0.1', 'Address to bind. The container sets 0.0.0.0.'),
  DATABASE_URL: optionalSecret(
    z.url({ protocol: /^postgres(ql)?$/ }),
    'PostgreSQL 15 or newer. Unset: the embedded database in DATA_DIR.',
  ),
  DATA_DIR: setting(z.string(), './data', 'Folder of the embedded database.'),
  MIGRATE_ON_START: setting(
    z.stringbool(),
    'true',
    'Bring the database schema up to date at start. With false, run `npm run migrate` before a new release.',
  ),
  MCP_ENABLED: setting(
    z.stringbool(),
    'false',
    'Serve MCP over HTTP: /mcp, and /sse with /messages for old clients.',
  ),
  TOOLSETS: optional(
    list,
    'Toolsets to list over MCP, by comma: templates, meta, plugins. Unset: the core tools.',
  ),
  TOOLS_PATH: optional(z.string(), 'Folder of plug-in tools to add.'),
  AUTH_MODE: optional(
    z.enum(['open', 'required']),
    'open: a call without a credential acts as the local owner; only on a loopback HOST. Unset: open on a loopback HOST, required elsewhere.',
  ),
  PUBLIC_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'Address people reach the server at, when a proxy stands before it.',
  ),
  ALLOWED_HOSTS: setting(list, ' ', 'More host names the server answers to, by comma.'),
  MCP_API_KEY: optionalSecret(z.string(), 'Key that `npm run mcp` acts as. Unset: the local owner.'),
  DEFAULT_LANGUAGE: setting(z.enum(['en', 'es']), 'en', 'Language of messages for callers that name none.'),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'info',
    'Least level written to standard error.',
  ),
} as const;

export type Config = ReturnType<typeof readConfig>;

type Environment = Readonly<Record<string, string | undefined>>;
type SettingName = keyof typeof SETTINGS;
type Value<N extends SettingName> =
  | z.output<(typeof SETTINGS)[N]['schema']>
  | ((typeof SETTINGS)[N] extends { fallback: string } ? never : undefined);

/** Thrown by readConfig: every fault in one message, one a line. */
export class ConfigError extends Error {}

/**
 * Reads the environment, once, at start.
 * @throws ConfigError naming every setting at fault.
 */
export function readConfig(env: Environment = process.env) {
  const faults: string[] = [];
  const read = <N extends SettingName>(name: N) => readSetting(name, env, faults);
  const host = read('HOST');
  const loopback = ['127.0.0.1', '::1', 'localhost'].includes(host);
  const authMode = read('AUTH_MODE') ?? (loopback ? 'open' : 'required');
  if (authMode === 'open' && !loopback) {
    faults.push(
      `AUTH_MODE: open is refused on HOST ${host}, where anyone on the network could act as the owner. Set AUTH_MODE=required, or HOST=127.0.0.1.`,
    );
  }
  const config = {
    port: read('PORT'),
    host,
    loopback,
    databaseUrl: read('DATABASE_URL'),
    dataDir: read('DATA_DIR'),
    migrateOnStart: read('MIGRATE_ON_START'),
    mcpEnabled: read('MCP_ENABLED'),
    toolsets: read('TOOLSETS'),
    toolsPath: read('TOOLS_PATH'),
    authMode,
    publicUrl: read('PUBLIC_URL'),
    allowedHosts: read('ALLOWED_HOSTS'),
    mcpApiKey: read('MCP_API_KEY'),
    defaultLanguage: read('DEFAULT_LANGUAGE'),
    logLevel: read('LOG_LEVEL'),
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
}

function readSetting<N extends SettingName>(name: N, env: Environment, faults: string[]): Value<N> {
  const { schema, fallback, secret } = SETTINGS[name] as Setting;
  const text = environmentText(name, secret, env, faults) || fallback;
  const parsed = text === undefined ? undefined : schema.safeParse(text);
  if (parsed?.error) faults.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
  // A value that failed is never used: readConfig throws once all faults are known.
  return parsed?.data as Value<N>;
}

function environmentText(name: string, secret: boolean, env: Environment, faults: string[]): string {
  const file = secret ? env[`${name}_FILE`] : undefined;
  if (!file) return env[name]?.trim() ?? '';
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    faults.push(`${name}_FILE: cannot read ${file}`);
    return '';
  }
}

type Setting = {
  readonly schema: z.ZodType;
  readonly help: string;
  readonly fallback?: string;
  /** May also come from the file that `<NAME>_FILE` names, as container secrets do. */
  readonly secret: boolean;
};

function setting<S extends z.ZodType>(schema: S, fallback: string, help: string) {
  return { schema, fallback, help, secret: false };
}

function optional<S extends z.ZodType>(schema: S, help: string) {
  return { schema, help, secret: false };
}

function optionalSecret<S extends z.ZodType>(schema: S, help: string) {
  return { schema, help, secret: true };
}
