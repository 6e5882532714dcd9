import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { mapProviders, type ProviderConfig, settingName } from './ai/providers.ts';
import { SETTINGS, type Setting } from './settings/settings.ts';
import { LOOPBACK_NAMES } from './settings/values.ts';

/** Ceilings where callers are not the operator. */
const DEFAULT_BUDGETS = { server: 25, account: 5 } as const;

export type Config = ReturnType<typeof readConfig>;

export type Environment = Readonly<Record<string, string | undefined>>;
type SettingName = keyof typeof SETTINGS;
type Value<N extends SettingName> =
  | z.output<(typeof SETTINGS)[N]['schema']>
  | ((typeof SETTINGS)[N] extends { fallback: string } ? never : undefined);

/** Thrown by readConfig: every fault in one message, one a line. */
export class ConfigError extends Error {}

/** The environment as it is, for code that looks for misspelled settings. */
export const environment = (): Environment => process.env;

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
      `AUTH_MODE: open is not allowed with PUBLIC_URL ${publicUrl}, because anyone could act as the owner. Set AUTH_MODE=required, or leave PUBLIC_URL unset.`,
    );
  }
  if (authMode === 'open' && !loopback) {
    faults.push(
      `AUTH_MODE: open is not allowed on HOST ${host}, because anyone on the network could act as the owner. Set AUTH_MODE=required, or HOST=127.0.0.1.`,
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
    toolSelection: {
      toolsets: read('TOOLSETS'),
      tools: read('TOOLS'),
      exclude: read('EXCLUDE_TOOLS'),
      readOnly: read('READ_ONLY'),
      structured: read('STRUCTURED_OUTPUT'),
    },
    toolsPath: read('TOOLS_PATH'),
    authMode,
    publicUrl,
    nodeUrl: originOf(read('NODE_URL')),
    allowedHosts: read('ALLOWED_HOSTS'),
    allowedOrigins: read('ALLOWED_ORIGINS'),
    trustedProxies: read('TRUSTED_PROXIES'),
    encryptionKey: read('ENCRYPTION_KEY'),
    oidcIssuer: read('OIDC_ISSUER'),
    oidcAudience: read('OIDC_AUDIENCE'),
    oidcPublishableKey: read('OIDC_PUBLISHABLE_KEY'),
    signInProviders: read('SIGN_IN_PROVIDERS'),
    signUp: read('SIGN_UP'),
    signUpDomains: read('SIGN_UP_DOMAINS'),
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
    stripeSecretKey: read('STRIPE_SECRET_KEY'),
    stripeWebhookSecret: read('STRIPE_WEBHOOK_SECRET'),
    stripeBaseUrl: read('STRIPE_BASE_URL'),
    stripeCurrency: read('STRIPE_CURRENCY'),
    stripeTaxBehavior: read('STRIPE_TAX_BEHAVIOR'),
    stripeCheckout: {
      automaticTax: read('STRIPE_AUTOMATIC_TAX'),
      taxIds: read('STRIPE_TAX_IDS'),
      billingAddress: read('STRIPE_BILLING_ADDRESS'),
      promotionCodes: read('STRIPE_PROMOTION_CODES'),
    },
    stripeTrialDays: read('STRIPE_TRIAL_DAYS'),
    checkoutOrigins: read('CHECKOUT_ORIGINS'),
    hooksDefaultProvider: read('HOOKS_DEFAULT_PROVIDER'),
    hooksByokFree: read('HOOKS_BYOK_FREE'),
    anonymousHooks: read('ANONYMOUS_HOOKS'),
    anonymousHooksTotal: read('ANONYMOUS_HOOKS_TOTAL'),
    shopifyApiVersion: read('SHOPIFY_API_VERSION'),
    shopifyClientId: read('SHOPIFY_CLIENT_ID'),
    shopifyClientSecret: read('SHOPIFY_CLIENT_SECRET'),
    shopifyBaseUrl: read('SHOPIFY_BASE_URL'),
    googleClientId: read('GOOGLE_CLIENT_ID'),
    googleClientSecret: read('GOOGLE_CLIENT_SECRET'),
    googleAccess: read('GOOGLE_ACCESS'),
    googleBaseUrl: read('GOOGLE_BASE_URL'),
    syncDemo: read('SYNC_DEMO') ?? read('DATABASE_URL') === undefined,
    mcpApiKey: read('MCP_API_KEY'),
    aiProviders: mapProviders(
      (id): ProviderConfig => ({
        apiKey: read(settingName(id, 'API_KEY')),
        baseUrl: read(settingName(id, 'BASE_URL')),
        model: read(settingName(id, 'MODEL')),
      }),
    ),
    aiPrices: read('AI_PRICES'),
    aiModels: read('AI_MODELS'),
    aiOwnKeysToBaseUrl: read('AI_OWN_KEYS_TO_BASE_URL'),
    aiDailyBudget: read('AI_DAILY_BUDGET') ?? defaultBudget('server', authMode),
    aiAccountDailyBudget: read('AI_ACCOUNT_DAILY_BUDGET') ?? defaultBudget('account', authMode),
    rateLimits: read('RATE_LIMITS'),
    defaultLanguage: read('DEFAULT_LANGUAGE'),
    blogUrl: read('BLOG_URL'),
    assetHosts: read('ASSET_HOSTS'),
    blobsDir: read('BLOBS_DIR'),
    s3: readS3(read),
    outputDir: read('OUTPUT_DIR'),
    browserPath: read('PUPPETEER_EXECUTABLE_PATH'),
    browserPages: read('BROWSER_PAGES'),
    timeLimitFactor: read('TIME_LIMIT_FACTOR'),
    videoWorkers: read('VIDEO_WORKERS'),
    drainSeconds: read('DRAIN_SECONDS'),
    metricsToken: read('METRICS_TOKEN'),
    metricsPort: read('METRICS_PORT'),
    tracing: readTracing(read),
    retention: read('RETENTION'),
    logLevel: read('LOG_LEVEL'),
  };
  faults.push(...lacking(config));
  faults.push(...s3Faults(config));
  if (config.oidcIssuer && config.signInProviders)
    faults.push(
      'SIGN_IN_PROVIDERS: not allowed with OIDC_ISSUER, which alone decides who signs in. Unset one of them.',
    );
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
}

type Read = <N extends SettingName>(name: N) => Value<N>;

/** Undefined where files are in a folder. */
function readS3(read: Read) {
  const bucket = read('S3_BUCKET');
  if (!bucket) return undefined;
  return {
    bucket,
    prefix: read('S3_PREFIX') ?? '',
    region: read('S3_REGION'),
    endpoint: read('S3_ENDPOINT'),
    accessKeyId: read('S3_ACCESS_KEY_ID'),
    secretAccessKey: read('S3_SECRET_ACCESS_KEY'),
  };
}

/** Undefined where there are no traces. */
function readTracing(read: Read) {
  const settings = {
    headers: read('OTEL_EXPORTER_OTLP_HEADERS') ?? {},
    serviceName: read('OTEL_SERVICE_NAME'),
    sampler: read('OTEL_TRACES_SAMPLER'),
    ratio: read('OTEL_TRACES_SAMPLER_ARG'),
    delayMs: read('OTEL_BSP_SCHEDULE_DELAY'),
  };
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  return endpoint === undefined ? undefined : { endpoint, ...settings };
}

function s3Faults({ s3, blobsDir }: Pick<Config, 's3' | 'blobsDir'>): string[] {
  if (!s3) return [];
  const faults: string[] = [];
  if (blobsDir) faults.push('BLOBS_DIR: not allowed with S3_BUCKET, which has the files. Unset one of them.');
  if (!s3.accessKeyId !== !s3.secretAccessKey)
    faults.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: each requires the other. Set both or neither.');
  return faults;
}

export type CliConfig = ReturnType<typeof readCliConfig>;

/** What the command `stallhand` reads of the environment, beside the settings of a server it starts. */
export function readCliConfig(env: Environment = process.env) {
  const text = (name: string) => env[name]?.trim() || undefined;
  const said = text('LC_ALL') ?? text('LC_MESSAGES') ?? text('LANG');
  return {
    /** The server commands go to. */
    url: text('STALLHAND_URL'),
    apiKey: text('STALLHAND_API_KEY'),
    /** Folder of a person's settings. */
    folder: text('XDG_CONFIG_HOME') ?? join(homedir(), '.config'),
    /** Language of messages, from the locale of the shell: `es_MX.UTF-8` is `es`. */
    language: said === undefined || /^(C|POSIX)\b/.test(said) ? undefined : said.slice(0, 2),
  };
}

function defaultBudget(scope: keyof typeof DEFAULT_BUDGETS, authMode: 'open' | 'required'): number {
  return authMode === 'required' ? DEFAULT_BUDGETS[scope] : Number.POSITIVE_INFINITY;
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
      'OIDC_AUDIENCE: required with OIDC_ISSUER. Without it, tokens for other services would be accepted.',
    );
  if (smtpUrl && !mailFrom) missing.push('MAIL_FROM: required with SMTP_URL.');
  if (stripeSecretKey && !stripeWebhookSecret)
    missing.push(
      'STRIPE_WEBHOOK_SECRET: required with STRIPE_SECRET_KEY. Without it, payments would not be recorded.',
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

function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin;
}
