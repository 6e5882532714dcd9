import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { canonicalRange } from './platform/ip-allowlist.ts';
import { RATE_NAMES, Rate } from './platform/rates.ts';

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

const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

const proxies = list.transform((entries, context) =>
  entries.map((entry) => {
    const range = PROXY_GROUPS.includes(entry) ? entry : canonicalRange(entry);
    if (range === undefined) context.addIssue(`'${entry}' is neither an address, a CIDR range nor a group`);
    return range ?? '';
  }),
);

const LOOPBACK_NAMES = ['127.0.0.1', '[::1]', 'localhost'];

// Whoever stands between us and the keys of an issuer signs in as anybody.
const issuerUrl = z.url({ protocol: /^https?$/ }).refine((issuer) => {
  const url = URL.parse(issuer);
  // What is no address at all has been told already.
  return !url || url.protocol === 'https:' || LOOPBACK_NAMES.includes(url.hostname);
}, 'must be an https address; http is only for a provider on this machine');

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('is not JSON');
    return z.NEVER;
  }
});

const prices = json.pipe(z.record(z.string(), z.tuple([z.number().nonnegative(), z.number().nonnegative()])));

const rates = json.pipe(z.partialRecord(z.enum(RATE_NAMES), Rate));

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
    'Toolsets to list over MCP, by comma: templates, videos, hooks, sync, account, billing, jobs, meta, plugins. Unset: the core tools.',
  ),
  TOOLS_PATH: optional(z.string(), 'Folder of plug-in tools to add.'),
  AUTH_MODE: optional(
    z.enum(['open', 'required']),
    'open: a call without a credential acts as the local owner; only on a loopback HOST without a PUBLIC_URL for others. Unset: open there, required elsewhere.',
  ),
  PUBLIC_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'Address people reach the server at, when a proxy stands before it.',
  ),
  ALLOWED_HOSTS: setting(list, ' ', 'More host names the server answers to, by comma.'),
  TRUSTED_PROXIES: optional(
    proxies,
    'Proxies whose X-Forwarded-For is believed, by comma: addresses, CIDR ranges, or loopback, linklocal, uniquelocal. Unset: none.',
  ),
  ENCRYPTION_KEY: optionalSecret(
    z.string().min(32, 'at least 32 characters'),
    'Secret of the server, at least 32 characters, the same on every node: `openssl rand -base64 32`. Seals the tokens of connected stores and sheets. Unset: with the embedded database one is made, in DATA_DIR.key beside its folder; with PostgreSQL no store or sheet can be connected.',
  ),
  OIDC_ISSUER: optional(
    issuerUrl,
    'Identity provider whose tokens sign people in (OpenID Connect). Unset: email with a password or a code.',
  ),
  OIDC_AUDIENCE: optional(z.string(), 'Audience the tokens of OIDC_ISSUER must be for.'),
  OIDC_PUBLISHABLE_KEY: optional(
    z.string(),
    'What the web client needs to begin signing in with OIDC_ISSUER: its client id or publishable key. Not a secret.',
  ),
  SMTP_URL: optionalSecret(
    z.url({ protocol: /^smtps?$/ }),
    'Server that sends sign-in codes: smtps://user:password@host. Unset: on a loopback HOST the log shows them, elsewhere there are none.',
  ),
  MAIL_FROM: optional(
    z.string(),
    'Sender of mails, such as Shop <no-reply@example.com>. Needed with SMTP_URL.',
  ),
  STRIPE_SECRET_KEY: optionalSecret(z.string(), 'Key for Stripe. Unset: everything but purchases works.'),
  STRIPE_WEBHOOK_SECRET: optionalSecret(
    z.string(),
    'Signing secret of the Stripe webhook at /webhooks/stripe.',
  ),
  STRIPE_BASE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'A server that speaks the Stripe API, for tests. Unset: Stripe itself.',
  ),
  CHECKOUT_ORIGINS: optional(
    list,
    'More addresses that a purchase may return to, by comma, such as https://shop.example.com. Unset: only this server.',
  ),
  HOOKS_DEFAULT_PROVIDER: optional(
    z.enum(['provider_a', 'provider_b', 'openai', 'anthropic', 'builtin']),
    'Who writes hooks when a caller names nobody. Unset: the first AI provider that is set up.',
  ),
  HOOKS_BYOK_FREE: setting(
    z.stringbool(),
    'false',
    "Hooks written with a caller's own AI key cost nothing of their quota.",
  ),
  ANONYMOUS_HOOKS: setting(
    z.coerce.number('a number of hooks').int().min(0),
    '3',
    'Hooks a visitor without an account gets in a day (UTC). 0 refuses them.',
  ),
  ANONYMOUS_HOOKS_TOTAL: setting(
    z.coerce.number('a number of hooks').int().min(0),
    '300',
    'Hooks all visitors without an account get in a day together.',
  ),
  SHOPIFY_API_VERSION: setting(
    z.string().regex(/^20\d\d-(01|04|07|10)$/, 'a version of the Admin API such as 2026-10'),
    '2026-10',
    'Version of the Shopify Admin API to speak.',
  ),
  SHOPIFY_BASE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'A server that speaks the Shopify Admin API for every store, for tests. Unset: the stores themselves.',
  ),
  GOOGLE_CLIENT_ID: optional(
    z.string(),
    'OAuth client that issued the tokens people paste: with it and its secret they are renewed when they expire.',
  ),
  GOOGLE_CLIENT_SECRET: optionalSecret(z.string(), 'Secret of GOOGLE_CLIENT_ID.'),
  GOOGLE_BASE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'A server that speaks the Google Sheets API and its OAuth, for tests. Unset: Google itself.',
  ),
  SYNC_DEMO: optional(
    z.stringbool(),
    'The store demo.myshopify.com and the spreadsheet demo, which work without an account elsewhere. Unset: with the embedded database.',
  ),
  MCP_API_KEY: optionalSecret(z.string(), 'Key that `npm run mcp` acts as. Unset: the local owner.'),
  OPENAI_API_KEY: optionalSecret(z.string(), 'Key for OpenAI, or for the server that OPENAI_BASE_URL names.'),
  OPENAI_BASE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'A server that speaks OpenAI chat completions, such as Ollama (http://localhost:11434/v1) or OpenRouter. The key may stay unset.',
  ),
  OPENAI_MODEL: setting(z.string(), 'gpt-5.6-luna', 'Model asked for when a caller names none.'),
  ANTHROPIC_API_KEY: optionalSecret(z.string(), 'Key for Anthropic.'),
  ANTHROPIC_BASE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'A server that speaks Anthropic messages. Unset: Anthropic itself.',
  ),
  ANTHROPIC_MODEL: setting(z.string(), 'claude-haiku-4-5', 'Model asked for when a caller names none.'),
  AI_PRICES: optional(
    prices,
    'US dollars for a million tokens, in and out, by model: {"gpt-5.6-luna": [1, 6]}. Models without a price cost null.',
  ),
  RATE_LIMITS: optional(
    rates,
    'Other limits than the usual, by kind: {"generate": {"perSecond": 1, "burst": 5}}. Kinds: read, write, generate, sync, anonymous_generate, sign_in, public.',
  ),
  DEFAULT_LANGUAGE: setting(z.enum(['en', 'es']), 'en', 'Language of messages for callers that name none.'),
  ASSET_HOSTS: optional(
    list,
    'Hosts that images and fonts of templates may be fetched from, with their subdomains, by comma. Unset: all public ones.',
  ),
  BLOBS_DIR: optional(z.string(), 'Folder of files made for download. Unset: files in DATA_DIR.'),
  PUPPETEER_EXECUTABLE_PATH: optional(
    z.string(),
    'Chromium, Chrome or chrome-headless-shell for PDFs and screenshots. Unset: an installed one, else the one in the packages (Linux).',
  ),
  BROWSER_PAGES: optional(
    z.coerce.number('a number of pages from 1 to 32').int().min(1).max(32),
    'PDFs and screenshots made at the same time. Unset: one for each core.',
  ),
  VIDEO_WORKERS: optional(
    z.coerce.number('a number of workers from 0 to 64').int().min(0).max(64),
    'Pieces of videos made at the same time; 0 leaves them to other nodes. Unset: one for every two cores.',
  ),
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
  const publicUrl = read('PUBLIC_URL');
  // A proxy brings others to the loopback address.
  const reached = publicUrl !== undefined && !LOOPBACK_NAMES.includes(new URL(publicUrl).hostname);
  const authMode = read('AUTH_MODE') ?? (loopback && !reached ? 'open' : 'required');
  if (authMode === 'open' && reached) {
    faults.push(
      `AUTH_MODE: open is refused with PUBLIC_URL ${publicUrl}, where anyone could act as the owner. Set AUTH_MODE=required, or leave PUBLIC_URL unset.`,
    );
  }
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
    publicUrl,
    allowedHosts: read('ALLOWED_HOSTS'),
    trustedProxies: read('TRUSTED_PROXIES'),
    encryptionKey: read('ENCRYPTION_KEY'),
    oidcIssuer: read('OIDC_ISSUER'),
    oidcAudience: read('OIDC_AUDIENCE'),
    oidcPublishableKey: read('OIDC_PUBLISHABLE_KEY'),
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
    stripeSecretKey: read('STRIPE_SECRET_KEY'),
    stripeWebhookSecret: read('STRIPE_WEBHOOK_SECRET'),
    stripeBaseUrl: read('STRIPE_BASE_URL'),
    checkoutOrigins: read('CHECKOUT_ORIGINS'),
    hooksDefaultProvider: read('HOOKS_DEFAULT_PROVIDER'),
    hooksByokFree: read('HOOKS_BYOK_FREE'),
    anonymousHooks: read('ANONYMOUS_HOOKS'),
    anonymousHooksTotal: read('ANONYMOUS_HOOKS_TOTAL'),
    shopifyApiVersion: read('SHOPIFY_API_VERSION'),
    shopifyBaseUrl: read('SHOPIFY_BASE_URL'),
    googleClientId: read('GOOGLE_CLIENT_ID'),
    googleClientSecret: read('GOOGLE_CLIENT_SECRET'),
    googleBaseUrl: read('GOOGLE_BASE_URL'),
    syncDemo: read('SYNC_DEMO') ?? read('DATABASE_URL') === undefined,
    mcpApiKey: read('MCP_API_KEY'),
    openaiApiKey: read('OPENAI_API_KEY'),
    openaiBaseUrl: read('OPENAI_BASE_URL'),
    openaiModel: read('OPENAI_MODEL'),
    anthropicApiKey: read('ANTHROPIC_API_KEY'),
    anthropicBaseUrl: read('ANTHROPIC_BASE_URL'),
    anthropicModel: read('ANTHROPIC_MODEL'),
    aiPrices: read('AI_PRICES'),
    rateLimits: read('RATE_LIMITS'),
    defaultLanguage: read('DEFAULT_LANGUAGE'),
    assetHosts: read('ASSET_HOSTS'),
    blobsDir: read('BLOBS_DIR'),
    browserPath: read('PUPPETEER_EXECUTABLE_PATH'),
    browserPages: read('BROWSER_PAGES'),
    videoWorkers: read('VIDEO_WORKERS'),
    logLevel: read('LOG_LEVEL'),
  };
  faults.push(...lacking(config));
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
}

/** Settings that are no use, or do harm, without another. */
function lacking({
  oidcIssuer,
  oidcAudience,
  smtpUrl,
  mailFrom,
  stripeSecretKey,
  stripeWebhookSecret,
}: Record<
  'oidcIssuer' | 'oidcAudience' | 'smtpUrl' | 'mailFrom' | 'stripeSecretKey' | 'stripeWebhookSecret',
  string | undefined
>): string[] {
  const missing: string[] = [];
  if (oidcIssuer && !oidcAudience)
    missing.push(
      'OIDC_AUDIENCE: is needed with OIDC_ISSUER, or tokens made for other services would be let in.',
    );
  if (smtpUrl && !mailFrom) missing.push('MAIL_FROM: is needed with SMTP_URL.');
  if (stripeSecretKey && !stripeWebhookSecret)
    missing.push(
      'STRIPE_WEBHOOK_SECRET: is needed with STRIPE_SECRET_KEY, or nobody would learn of payments.',
    );
  return missing;
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
