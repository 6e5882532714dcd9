import { z } from 'zod';
import { entryOf, PROVIDER_CHOICES, PROVIDER_IDS, type ProviderId, settingName } from '../ai/providers.ts';
import { SAMPLERS } from '../platform/tracing/samplers.ts';
import {
  budget,
  collector,
  domains,
  headers,
  issuerUrl,
  list,
  origins,
  port,
  prices,
  proxies,
  rates,
  retention,
  signInProviders,
} from './values.ts';

/** Every setting there is. `.env.example` and the table in docs/settings.md are generated from it. */
export const SETTINGS = {
  PORT: setting(port, '8080', 'Port to listen on.'),
  HOST: setting(z.string(), '127.0.0.1', 'Address to listen on. The container sets 0.0.0.0.'),
  DATABASE_URL: optionalSecret(
    z.url({ protocol: /^postgres(ql)?$/ }),
    'PostgreSQL 15 or newer. Unset: the embedded database in DATA_DIR.',
  ),
  DATA_DIR: setting(
    z.string(),
    './data',
    'Folder of the embedded database and, unless BLOBS_DIR or S3_BUCKET is set, of files: with PostgreSQL too, keep it on a disk that lasts.',
  ),
  MIGRATE_ON_START: setting(
    z.stringbool(),
    'true',
    'Apply database migrations at start. With false, run `npm run migrate` before a new release.',
  ),
  MCP_ENABLED: setting(
    z.stringbool(),
    'false',
    'Serve MCP over HTTP: /mcp, and /sse with /messages for old clients.',
  ),
  TOOLSETS: optional(
    list,
    'Toolsets to serve over MCP, comma-separated: templates, assets, brand, videos, hooks, sync, account, billing, jobs, webhooks, meta, plugins, or all. With TOOLS, both apply. No other tool can be called. Unset: all tools, with the core tools listed.',
  ),
  TOOLS: optional(list, 'Single tools to serve over MCP, comma-separated, in addition to those of TOOLSETS.'),
  EXCLUDE_TOOLS: optional(list, 'Tools that MCP does not serve, comma-separated.'),
  READ_ONLY: setting(z.stringbool(), 'false', 'Serve only tools that read over MCP.'),
  STRUCTURED_OUTPUT: setting(
    z.stringbool(),
    'false',
    'Return structured content over MCP and list output schemas, for programs. Otherwise clients get text unless they ask for it.',
  ),
  TOOLS_PATH: optional(z.string(), 'Folder of plug-in tools to add.'),
  AUTH_MODE: optional(
    z.enum(['open', 'required']),
    'open: a call without a credential acts as the local owner; allowed only on a loopback HOST without a public PUBLIC_URL. required: every call needs a credential. Unset: open on loopback, required elsewhere.',
  ),
  PUBLIC_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'URL at which people reach the server, if it is behind a proxy.',
  ),
  NODE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    "URL at which the other nodes of one database reach this one. Unset: HOST and PORT; if HOST is 0.0.0.0 or ::, the machine's first address.",
  ),
  ALLOWED_HOSTS: setting(list, ' ', 'Additional host names the server accepts, comma-separated.'),
  ALLOWED_ORIGINS: setting(
    origins,
    ' ',
    "Additional origins whose pages may call the server, comma-separated, such as http://localhost:5173. Without credentials in open mode, they act as the local owner. Unset: only the server's own pages.",
  ),
  TRUSTED_PROXIES: optional(
    proxies,
    'Proxies whose X-Forwarded-For header is trusted, comma-separated: addresses, CIDR ranges, or loopback, linklocal, uniquelocal. Unset: none.',
  ),
  ENCRYPTION_KEY: optionalSecret(
    z.string().min(32, 'at least 32 characters'),
    'Server secret that encrypts the credentials of connected stores and sheets; at least 32 characters and the same on every node. Create one with `openssl rand -base64 32`. Unset: the key in DATA_DIR.key, which the embedded database creates and a restored backup brings to PostgreSQL; without it, stores and sheets cannot be connected there.',
  ),
  OIDC_ISSUER: optional(
    issuerUrl,
    'OpenID Connect issuer whose tokens sign people in. Unset: people sign in with email and a password or a code.',
  ),
  OIDC_AUDIENCE: optional(z.string(), 'Audience that tokens of OIDC_ISSUER must have.'),
  OIDC_PUBLISHABLE_KEY: optional(
    z.string(),
    'Client ID or publishable key with which the web client starts sign-in at OIDC_ISSUER. Not a secret.',
  ),
  SIGN_IN_PROVIDERS: optionalSecret(
    signInProviders,
    'Identity providers that people can sign in with in the browser, besides email: {"google": {"client_id": "…", "client_secret": "…"}, "acme": {"label": "Acme", "issuer": "https://id.example.com", "client_id": "…", "client_secret": "…"}}. google, gitlab and github need no issuer; any other name is an OpenID Connect issuer that verifies the email addresses it sends. Register /auth/NAME/callback there as the redirect URI. Not with OIDC_ISSUER.',
  ),
  SIGN_UP: setting(
    z.enum(['open', 'invited', 'closed']),
    'open',
    'Who may become a user. open: everyone, or everyone at SIGN_UP_DOMAINS; invited: people whom an account has invited; closed: no one. Existing users sign in.',
  ),
  SIGN_UP_DOMAINS: setting(
    domains,
    ' ',
    'Email domains that may sign up, comma-separated, such as shop.example; invited people may too. Empty: all.',
  ),
  SMTP_URL: optionalSecret(
    z.url({ protocol: /^smtps?$/ }),
    'SMTP server that sends emails, such as sign-in codes: smtps://user:password@host. Unset: on a loopback HOST, emails are written to the log; elsewhere, sign-in codes are disabled.',
  ),
  MAIL_FROM: optional(
    z.string(),
    'Sender of emails, such as Shop <no-reply@example.com>. Required with SMTP_URL.',
  ),
  STRIPE_SECRET_KEY: optionalSecret(z.string(), 'Stripe secret key. Unset: purchases are disabled.'),
  STRIPE_WEBHOOK_SECRET: optionalSecret(
    z.string(),
    'Signing secret of the Stripe webhook at /webhooks/stripe. Required with STRIPE_SECRET_KEY.',
  ),
  STRIPE_BASE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'URL of a server with the Stripe API, for tests. Unset: Stripe.',
  ),
  STRIPE_CURRENCY: setting(
    z.enum(['usd', 'eur']),
    'usd',
    'Currency of prices and purchases for callers that send none.',
  ),
  STRIPE_AUTOMATIC_TAX: setting(
    z.stringbool(),
    'false',
    'Let Stripe Tax calculate and collect tax at checkout. Set up Stripe Tax and your registrations in the Stripe dashboard first.',
  ),
  STRIPE_TAX_BEHAVIOR: optional(
    z.enum(['inclusive', 'exclusive']),
    "Whether prices that `npm run billing -- push` creates include tax. Unset: the default of your Stripe account's tax settings.",
  ),
  STRIPE_TAX_IDS: setting(
    z.stringbool(),
    'true',
    'Companies may enter their VAT or other tax ID at checkout; it is shown on invoices.',
  ),
  STRIPE_BILLING_ADDRESS: setting(
    z.enum(['auto', 'required']),
    'auto',
    'auto: checkout asks for a billing address only where payment or tax needs one. required: always.',
  ),
  STRIPE_PROMOTION_CODES: setting(
    z.stringbool(),
    'true',
    'Customers may enter promotion codes, which you create in the Stripe dashboard, at checkout.',
  ),
  STRIPE_TRIAL_DAYS: setting(
    z.coerce.number('a number of days from 0 to 730').int().min(0).max(730),
    '0',
    "Free days at the start of an account's first subscription to an app; a card is required. 0: no trial.",
  ),
  CHECKOUT_ORIGINS: optional(
    list,
    'Additional origins that a purchase may return to, comma-separated, such as https://shop.example.com. Unset: only this server.',
  ),
  HOOKS_DEFAULT_PROVIDER: optional(
    z.enum([...PROVIDER_CHOICES, 'builtin']),
    'AI provider for hooks when a call sends none. Unset: the first one configured.',
  ),
  HOOKS_BYOK_FREE: setting(
    z.stringbool(),
    'true',
    "Hooks generated with a caller's own AI key use no quota.",
  ),
  ANONYMOUS_HOOKS: setting(
    z.coerce.number('a number of hooks').int().min(0),
    '3',
    'Hooks per day (UTC) for an anonymous caller, by IPv4 address or IPv6 /64; eight times as many for its /24 or /48. 0 disables anonymous use.',
  ),
  ANONYMOUS_HOOKS_TOTAL: setting(
    z.coerce.number('a number of hooks').int().min(0),
    '300',
    'Hooks per day (UTC) for all anonymous callers together.',
  ),
  SHOPIFY_API_VERSION: setting(
    z.string().regex(/^20\d\d-(01|04|07|10)$/, 'a version of the Admin API such as 2026-10'),
    '2026-10',
    'Version of the Shopify Admin API.',
  ),
  SHOPIFY_CLIENT_ID: optional(
    z.string(),
    'Client ID of your Shopify app, with which people connect stores by installing it. Register /connect/shopify/callback as its redirect URL and /webhooks/shopify for its webhooks. Unset: stores are connected with tokens.',
  ),
  SHOPIFY_CLIENT_SECRET: optionalSecret(z.string(), 'Secret of SHOPIFY_CLIENT_ID.'),
  SHOPIFY_BASE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'URL of a server with the Shopify Admin API for every store, for tests. Unset: the stores.',
  ),
  GOOGLE_CLIENT_ID: optional(
    z.string(),
    'Client ID of your Google OAuth client, with which people connect spreadsheets. Register /connect/google/callback as its redirect URI. With its secret, expired tokens that it issued are refreshed.',
  ),
  GOOGLE_CLIENT_SECRET: optionalSecret(z.string(), 'Secret of GOOGLE_CLIENT_ID.'),
  GOOGLE_ACCESS: setting(
    z.enum(['picked', 'all']),
    'picked',
    'Access that people give when they connect with Google. picked: only the spreadsheets they pick (scope drive.file). all: all of their spreadsheets, so a URL is enough (scope spreadsheets); Google verifies such apps first.',
  ),
  GOOGLE_BASE_URL: optional(
    z.url({ protocol: /^https?$/ }),
    'URL of a server with the Google Sheets API and OAuth, for tests. Unset: Google.',
  ),
  SYNC_DEMO: optional(
    z.stringbool(),
    'Enable the store demo.myshopify.com and the spreadsheet demo, which need no account elsewhere. Unset: enabled with the embedded database.',
  ),
  MCP_API_KEY: optionalSecret(
    z.string(),
    'API key that `npm run mcp` uses. Unset: it acts as the local owner.',
  ),
  ...providerSettings(),
  AI_PRICES: optional(
    prices,
    'US dollars per million input and output tokens, by model: {"my-model": [0.5, 2]}. Replaces and adds to the built-in list of well-known models. A model without a price costs null in responses, and counts as 30 and 180 against AI_DAILY_BUDGET.',
  ),
  AI_MODELS: optional(
    list,
    "Models that callers may choose with the server's keys besides the default ones, comma-separated; * allows any. Unset: only the default models. Callers with their own key may use any model.",
  ),
  AI_DAILY_BUDGET: optional(
    budget,
    "US dollars a day (UTC) that calls with the server's AI keys may cost together, or none. Unset: 25 with AUTH_MODE=required, otherwise none.",
  ),
  AI_ACCOUNT_DAILY_BUDGET: optional(
    budget,
    'The same for each account; all anonymous callers are one account, and the local owner has no such limit. Unset: 5 with AUTH_MODE=required, otherwise none.',
  ),
  AI_OWN_KEYS_TO_BASE_URL: setting(
    z.stringbool(),
    'false',
    "Send callers' own AI keys to the provider's base URL that you set, such as OPENAI_BASE_URL. With false, they go to the providers' own addresses. GET /api/v1/config names the address.",
  ),
  RATE_LIMITS: optional(
    rates,
    'Rate limits that replace the defaults, by kind: {"generate": {"perSecond": 1, "burst": 5}}. Kinds: read, write, generate, sync, variant, frame, anonymous_generate, sign_in, connect, public, webhook.',
  ),
  DEFAULT_LANGUAGE: setting(z.enum(['en', 'es']), 'en', 'Language of messages for callers that send none.'),
  BLOG_URL: optional(
    z.url({ protocol: /^https$/ }),
    'Public HTTPS URL of a JSON document with the posts of GET /api/v1/blog; BLOG_URL/<slug> has one with its html. Unset: the bundled posts.',
  ),
  ASSET_HOSTS: optional(
    list,
    'Hosts, with their subdomains, from which templates may load images and fonts, comma-separated. Unset: all public hosts.',
  ),
  BLOBS_DIR: optional(
    z.string(),
    'Folder of files: assets, videos and downloads. All nodes must share it. Unset: the folder files in DATA_DIR.',
  ),
  S3_BUCKET: optional(
    z.string(),
    'Bucket for files instead of a folder, of AWS S3 or a server with its protocol, such as MinIO. Not with BLOBS_DIR.',
  ),
  S3_PREFIX: optional(z.string(), 'Prefix of the names of objects in S3_BUCKET, such as stallhand/.'),
  S3_REGION: setting(z.string(), 'us-east-1', 'Region of S3_BUCKET.'),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/ }), 'URL of the server that has S3_BUCKET. Unset: AWS.'),
  S3_ACCESS_KEY_ID: optionalSecret(
    z.string(),
    'Access key for S3_BUCKET. Unset: the credentials of the machine, such as the role of an instance.',
  ),
  S3_SECRET_ACCESS_KEY: optionalSecret(z.string(), 'Secret of S3_ACCESS_KEY_ID.'),
  OUTPUT_DIR: optional(
    z.string(),
    'Folder in which assistants on this machine (`stallhand mcp`) may save files: tools that return a file then accept save_to. Unset: they get links to this machine.',
  ),
  PUPPETEER_EXECUTABLE_PATH: optional(
    z.string(),
    'Chromium, Chrome or chrome-headless-shell for PDFs, screenshots and videos. Unset: an installed browser, otherwise the bundled one (Linux).',
  ),
  BROWSER_PAGES: optional(
    z.coerce.number('a number of pages from 1 to 32').int().min(1).max(32),
    'Maximum concurrent PDFs and screenshots; one account uses all but one. Unset: one per core, at least 2.',
  ),
  TIME_LIMIT_FACTOR: setting(
    z.coerce.number('a factor from 1 to 100').min(1).max(100),
    '1',
    'Multiplies the time limits of compiling templates, renders, PDFs, screenshots and filling the page of a video, for a slow or crowded machine.',
  ),
  VIDEO_WORKERS: optional(
    z.coerce.number('a number of workers from 0 to 64').int().min(0).max(64),
    'Maximum concurrent video chunks; 0 leaves rendering to other nodes. Unset: one per two cores.',
  ),
  DRAIN_SECONDS: optional(
    z.coerce.number('a number of seconds from 0 to 300').min(0).max(300),
    'Seconds that the server still accepts requests after SIGTERM while /ready returns 503, so that a load balancer stops sending them. Unset: 5, or 0 on a loopback HOST.',
  ),
  METRICS_TOKEN: optionalSecret(
    z.string().min(16, 'at least 16 characters, such as the output of openssl rand -hex 24'),
    'Token with which Prometheus reads /metrics, sent as Authorization: Bearer. Unset: /metrics exists only in open mode.',
  ),
  METRICS_PORT: optional(
    port,
    'Second port, for /metrics, /health and /ready, without a token. Let only Prometheus and probes reach it. Unset: they are on PORT alone.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    collector,
    'URL of an OpenTelemetry collector, such as http://localhost:4318: traces go there, to /v1/traces, by OTLP over HTTP as JSON. Unset: no traces.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optionalSecret(
    headers,
    'Headers of requests to the collector, comma-separated, with percent-encoded values: authorization=Bearer%20….',
  ),
  OTEL_SERVICE_NAME: setting(z.string(), 'stallhand', 'Name of the service in traces.'),
  OTEL_TRACES_SAMPLER: setting(
    z.enum(SAMPLERS),
    'parentbased_always_on',
    'Which traces are kept. parentbased: where a caller sends traceparent, as it says; otherwise, all, none, or a part of them.',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z.coerce.number('a number from 0 to 1').min(0).max(1),
    '1',
    'Part of the traces that a sampler by traceidratio keeps, from 0 to 1.',
  ),
  OTEL_BSP_SCHEDULE_DELAY: setting(
    z.coerce.number('a number of milliseconds').int().min(10).max(60_000),
    '5000',
    'Milliseconds after which ended spans are sent.',
  ),
  RETENTION: optional(
    retention,
    'Days that accounts keep videos, hooks, sync_runs, audit_events and usage; null: as long as the account exists. By kind, for all accounts or by plan: {"videos": {"free": 30, "paid": null}, "audit_events": 1000}. Unset: videos and hooks null, the others 400.',
  ),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'info',
    'Minimum level written to standard error.',
  ),
} as const;

export type Setting = {
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

type ProviderSettings = {
  readonly [Name in `${Uppercase<ProviderId>}_API_KEY`]: ReturnType<typeof optionalSecret<z.ZodString>>;
} & {
  readonly [Name in `${Uppercase<ProviderId>}_BASE_URL`]: ReturnType<typeof optional<z.ZodURL>>;
} & {
  readonly [Name in `${Uppercase<ProviderId>}_MODEL`]: ReturnType<typeof setting<z.ZodString>>;
};

/** Key, address and model of each AI provider. */
function providerSettings(): ProviderSettings {
  const settings = PROVIDER_IDS.flatMap((id) => {
    const { help, model } = entryOf(id);
    return [
      [settingName(id, 'API_KEY'), optionalSecret(z.string(), help.apiKey)],
      [settingName(id, 'BASE_URL'), optional(z.url({ protocol: /^https?$/ }), help.baseUrl)],
      [settingName(id, 'MODEL'), setting(z.string(), model, 'Model for calls that send none.')],
    ] as const;
  });
  // fromEntries loses the names; these are the ones of the type.
  return Object.fromEntries(settings) as ProviderSettings;
}
