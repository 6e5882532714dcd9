/** What the files of a folder may import besides each other: values and types, or types only. */
export type Rule = {
  readonly values: readonly string[];
  /** Nothing of these runs because of the import. */
  readonly types?: readonly string[];
};

const ERRORS = 'src/errors.ts';
const LANGUAGE = 'src/language.ts';
const VOICE = 'src/voice.ts';
const INPUT_ISSUE = 'src/input-issue.ts';
const CONFIG = 'src/config.ts';
const APP = 'src/app.ts';
const PLANS = 'src/plans.ts';
const LOCALES = 'locales';
const CONTRACT = 'tools/contract';

/**
 * Which folder may import which; what is not listed is forbidden. The rule of a file is the line of the longest path that it
 * is in. Every folder and file directly in src, tools, http and cli needs a line.
 *
 * The direction is http → tools → src. In src, a domain takes another domain's types and plain data, never its code; the
 * wiring alone sees all of them.
 */
export const FOLDERS: Readonly<Record<string, Rule>> = {
  [ERRORS]: { values: [], types: [LOCALES] },
  [LANGUAGE]: { values: [LOCALES, INPUT_ISSUE, VOICE], types: [ERRORS] },
  // How messages name calls. The transports make the voices, since a voice knows the tools.
  [VOICE]: { values: [], types: [ERRORS] },
  [INPUT_ISSUE]: { values: ['src/platform/closest.ts'], types: [ERRORS] },
  [PLANS]: { values: [] },
  [CONFIG]: { values: ['src/ai/providers.ts', 'src/settings'] },
  'src/settings': {
    values: [
      'src/ai/providers.ts',
      'src/platform/ip-allowlist.ts',
      'src/platform/rates.ts',
      'src/platform/tracing/samplers.ts',
      'src/retention/kinds.ts',
    ],
  },
  'src/version.ts': { values: ['package.json'] },
  'src/platform': { values: [ERRORS, LOCALES] },

  'src/ai': { values: [ERRORS, 'src/platform'], types: [CONFIG] },
  'src/assets': { values: [ERRORS, 'src/platform'], types: ['src/identity'] },
  'src/brand': { values: [ERRORS, 'src/platform'], types: [LANGUAGE] },
  'src/audit': { values: ['src/platform'] },
  'src/billing': { values: [ERRORS, PLANS, 'src/platform'], types: [LANGUAGE] },
  'src/confirmations': { values: [], types: ['src/platform'] },
  'src/files': { values: ['src/platform'] },
  'src/hooks': {
    values: [ERRORS, LANGUAGE, PLANS, 'src/platform', 'src/ai'],
    types: [LOCALES, 'src/billing', 'src/identity', 'src/quota'],
  },
  'src/idempotency': { values: [ERRORS, 'src/platform'] },
  'src/identity': { values: [ERRORS, LANGUAGE, PLANS, 'src/platform'], types: ['src/audit', 'src/billing'] },
  'src/jobs': { values: [ERRORS, LANGUAGE, 'src/platform'], types: ['src/identity'] },
  'src/operator': {
    values: ['src/platform'],
    types: [PLANS, 'src/audit', 'src/billing', 'src/identity', 'src/jobs', 'src/sync', 'src/videos'],
  },
  'src/quota': { values: [ERRORS, PLANS, 'src/platform'] },
  'src/rate-limits': { values: [ERRORS, 'src/platform'] },
  'src/retention': { values: ['src/platform'] },
  'src/sync': { values: [ERRORS, LANGUAGE, PLANS, 'src/platform'], types: [LOCALES, 'src/billing'] },
  'src/templates': {
    values: [ERRORS, LANGUAGE, 'src/platform'],
    types: [LOCALES, 'src/ai', 'src/audit', 'src/files', 'src/quota'],
  },
  // Texts and data in, texts and data out: no database, no blobs, no browser.
  'src/templates/engine': {
    values: [ERRORS, 'src/platform/thread-pool.ts', 'src/platform/thread-time.ts'],
    types: [LANGUAGE],
  },
  'src/templates/diff': { values: [ERRORS, 'src/platform/thread-time.ts', 'src/templates'] },
  'src/templates/merge': { values: [ERRORS, 'src/templates'] },
  'src/videos': {
    values: [ERRORS, INPUT_ISSUE, 'src/platform'],
    types: [LANGUAGE, 'src/templates/engine'],
  },
  'src/blog': { values: [ERRORS, 'src/platform'], types: [LANGUAGE] },
  'src/webhooks': { values: [ERRORS, 'src/platform'], types: ['src/audit', 'src/identity'] },

  // Adapters know the ports of the domains; the emulators also the demo of sync.
  'src/providers': {
    values: [ERRORS, PLANS, 'src/ai', 'src/sync/ports', 'src/billing/current-subscription.ts'],
    types: ['src/billing', 'src/identity', 'src/platform/mail.ts', 'src/sync'],
  },
  'src/emulators': { values: ['src/sync/demo'], types: ['src/sync'] },
  'src/wiring': { values: ['src'] },
  [APP]: { values: ['src'] },

  tools: { values: ['tools'] },
  [CONTRACT]: {
    values: [ERRORS, LANGUAGE, CONFIG, 'src/platform', 'src/sync/connections/product-references.ts'],
    types: [APP, VOICE, 'src/files', 'src/identity', 'src/rate-limits'],
  },
  'tools/mcp': {
    values: [CONTRACT, ERRORS, LANGUAGE, CONFIG, 'src/jobs/job.ts', 'src/platform'],
    types: [APP, VOICE, 'src/confirmations', 'src/files', 'src/identity', 'src/jobs'],
  },
  // Its pages run in a browser, with the texts of locales/apps.
  'tools/mcp/apps': {
    values: [CONTRACT, ERRORS, 'tools/mcp'],
    types: [LOCALES, LANGUAGE],
  },
  'tools/meta': { values: [CONTRACT, ERRORS, 'tools/mcp'] },
  'tools/commands': {
    values: [
      APP,
      CONFIG,
      ERRORS,
      LANGUAGE,
      PLANS,
      'src/billing',
      'src/identity',
      'src/operator',
      'src/platform',
      'src/providers',
    ],
  },
  'tools/commands/doctor': {
    values: [
      'tools/commands',
      CONFIG,
      ERRORS,
      'src/platform',
      'src/providers',
      'src/settings',
      'src/videos/encode',
    ],
  },
  'tools/account': { values: [CONTRACT, LANGUAGE, 'src/identity', 'src/platform'] },
  'tools/billing': { values: [CONTRACT, PLANS, 'src/billing'] },
  'tools/hooks': {
    values: [CONTRACT, ERRORS, LANGUAGE, 'src/ai', 'src/hooks', 'src/platform'],
    types: ['src/identity', 'src/quota'],
  },
  'tools/jobs': {
    values: [CONTRACT, 'tools/videos', ERRORS, LANGUAGE, 'src/jobs', 'src/platform'],
    types: [APP, 'src/identity', 'src/videos'],
  },
  'tools/sync': {
    values: [CONTRACT, ERRORS, LANGUAGE, 'src/platform', 'src/sync'],
    types: ['src/identity'],
  },
  'tools/templates': { values: [CONTRACT, ERRORS, LANGUAGE, 'src/ai', 'src/audit', 'src/templates'] },
  'tools/videos': {
    values: [CONTRACT, 'tools/templates', ERRORS, LANGUAGE, 'src/platform', 'src/templates', 'src/videos'],
  },
  // The process that an assistant starts: it builds the product, and shares it with others of its kind.
  'tools/stdio': { values: ['tools', 'src'] },
  'tools/assets': { values: [CONTRACT, ERRORS, 'src/assets', 'src/platform'] },
  'tools/brand': { values: [CONTRACT, LANGUAGE, 'src/brand'] },
  'tools/blog': { values: [CONTRACT, 'src/blog'] },
  'tools/webhooks': { values: [CONTRACT, 'src/webhooks'] },

  // The command `stallhand`: a client of REST, made from the tools. It can start the server it calls.
  cli: {
    values: [
      CONTRACT,
      'http/serve.ts',
      'tools/index.ts',
      'tools/stdio.ts',
      'tools/commands/backup-command.ts',
      'tools/commands/doctor',
      'tools/commands/load-env-file.ts',
      'tools/commands/road',
      CONFIG,
      'src/version.ts',
      'src/platform/closest.ts',
    ],
  },
  'cli/template-files': {
    values: [
      'cli',
      'src/platform/stable-json.ts',
      'src/templates/bundle/bundle-format.ts',
      'src/templates/diff/diff-text.ts',
      'src/templates/schema.ts',
    ],
  },

  http: { values: ['http', 'tools', 'src'] },
  'http/generate.ts': { values: ['http', 'tools', 'src', LOCALES, 'distribution/server-json.ts'] },
  'http/assets': {
    values: ['http', CONTRACT, 'tools/assets', ERRORS, 'src/assets', 'src/platform'],
    types: [APP, LANGUAGE],
  },
  'http/auth': { values: ['http', CONTRACT, ERRORS, LANGUAGE, 'src/identity'], types: [APP, CONFIG] },
  // Pages on which people connect stores and sheets at Google and Shopify.
  'http/connect': {
    values: ['http', ERRORS, LANGUAGE, 'src/identity', 'src/sync'],
    types: [APP, CONFIG],
  },
  'http/files': { values: ['http', ERRORS, 'src/videos'], types: ['src/files', 'src/platform'] },
  'http/jobs': {
    values: ['http', 'tools/jobs', ERRORS, 'src/jobs'],
    types: [APP, LANGUAGE, VOICE, 'src/identity', 'src/platform', 'src/videos'],
  },
  'http/mcp': {
    values: ['http', 'tools/mcp', ERRORS, 'src/platform'],
    types: [APP, LANGUAGE, CONTRACT, 'src/identity'],
  },
  // The sign-in of programs: pages in both languages, and metadata of clients from the internet.
  'http/oauth': {
    values: ['http', CONTRACT, ERRORS, LANGUAGE, 'src/identity', 'src/platform'],
    types: [APP, CONFIG],
  },
  'http/openapi': { values: ['http', CONTRACT, 'tools/jobs', ERRORS] },
  'http/rest': {
    values: ['http', CONTRACT, 'tools/jobs', ERRORS, LANGUAGE],
    types: [APP, VOICE, 'src/files', 'src/identity', 'src/platform'],
  },
  'http/sync': {
    values: ['http', CONTRACT, 'tools/sync', 'src/sync'],
    types: [APP, LANGUAGE, VOICE],
  },
  // Where the web client is served. It knows the client's pages, and nothing of what they show.
  'http/web': {
    values: ['http', ERRORS, 'locales/public'],
    types: [APP, CONFIG, LANGUAGE, 'src/billing', 'src/blog'],
  },
  'http/videos': {
    values: ['http', 'tools/jobs', 'tools/videos', ERRORS, LANGUAGE, 'src/platform', 'src/videos'],
    types: [APP, CONFIG, VOICE],
  },

  // The web client runs in a browser: of the tools it has the types, of the server the list of pages.
  'web/src': { values: ['locales/web'], types: ['tools', 'http/web/pages.ts'] },
  'web/build': { values: [] },
  'web/build.ts': { values: ['web/build'] },
  'web/dev.ts': { values: ['web/build'] },
};

/** Which folders may import a package; a package that is not listed may be imported by none. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  zod: ['src', 'tools', 'http', 'cli', 'web/src'],
  '@modelcontextprotocol/client': ['cli/mcp-bridge.ts'],
  '@zxcvbn-ts/core': ['src/identity/sign-in/common-passwords.ts'],
  '@zxcvbn-ts/language-common': ['src/identity/sign-in/password-lists/build.ts'],
  express: ['http'],
  '@fastify/busboy': ['http/assets'],
  helmet: ['http'],
  'oidc-provider': ['http/oauth'],
  '@modelcontextprotocol/node': ['http/mcp'],
  '@modelcontextprotocol/server': ['http/mcp', 'tools/mcp', 'cli/mcp-bridge.ts'],
  'zod-to-json-schema': [CONTRACT],

  '@simplewebauthn/server': ['src/identity/passkeys/passkeys.ts'],
  otpauth: ['src/identity/second-factor/totp.ts'],

  // Adapters of outside services.
  '@anthropic-ai/sdk': ['src/providers'],
  '@shopify/admin-api-client': ['src/providers/shopify'],
  '@googleapis/sheets': ['src/providers'],
  jose: ['src/providers/oidc'],
  nodemailer: ['src/providers/smtp.ts', 'src/templates/finish'],
  openai: ['src/providers'],
  'openid-client': ['src/providers/sign-in-providers.ts'],
  stripe: ['src/providers'],

  // The database is reached through platform/database alone, the queue through platform/queue.
  '@aws-sdk/client-s3': ['src/platform/blobs/s3-blobs.ts'],
  // Loaded only where traces are on.
  '@opentelemetry/api': ['src/platform/tracing'],
  '@opentelemetry/otlp-transformer': ['src/platform/tracing'],
  '@opentelemetry/resources': ['src/platform/tracing'],
  '@opentelemetry/sdk-trace': ['src/platform/tracing'],
  '@electric-sql/pglite': ['src/platform/database/embedded'],
  postgres: ['src/platform/database'],
  'pg-boss': ['src/platform/queue'],
  '@sparticuz/chromium': ['src/platform/browser'],
  'puppeteer-core': ['src/platform/browser', 'src/videos'],
  fontverter: ['src/platform/browser'],
  'subset-font': ['src/platform/browser', 'web/build'],
  'fastest-levenshtein': ['src/platform'],
  'file-type': ['src/platform'],
  pino: ['src/platform'],
  piscina: ['src/platform'],

  assemblyscript: ['src/videos/frames/i420'],
  caniemail: ['src/templates/lint/email-clients/build.ts'],
  culori: ['src/videos/templates', 'src/brand'],
  'csv-stringify': ['src/hooks'],
  graphql: ['src/emulators/shopify'],
  handlebars: ['src/templates', 'src/ai', 'http/openapi', 'http/web'],
  'html-to-text': ['src/templates'],
  htmlnano: ['src/templates'],
  'ipaddr.js': ['src/platform', 'src/templates', 'src/identity'],
  juice: ['src/templates'],
  'lru-cache': [
    'src/platform',
    'src/templates',
    'src/videos',
    'src/ai',
    'src/rate-limits',
    'src/providers',
    'src/identity',
    'src/hooks',
    'src/billing',
    'http/oauth',
    'src/sync/connections',
  ],
  marked: ['src/blog'],
  mediabunny: ['src/videos', 'src/assets/clip-facts.ts'],
  '@mediabunny/aac-encoder': ['src/videos'],
  'mjml-core': ['src/templates/finish'],
  'mjml-preset-core': ['src/templates/finish'],
  'mjml-validator': ['src/templates/finish'],
  parse5: ['src/platform/html', 'src/templates', 'src/videos', 'src/brand'],
  sharp: ['src/platform/load-sharp.ts', 'src/assets/pictures.ts', 'web/build/social'],
  pixelmatch: ['src/templates/visual-diff'],
  pngjs: ['src/templates/visual-diff', 'src/videos', 'src/brand'],
  'sanitize-html': ['src/blog', 'src/templates'],
  standardwebhooks: ['src/webhooks'],
  'tar-stream': ['src/platform/backup'],
  yauzl: ['src/templates'],
  yazl: ['src/templates'],

  // The web client.
  '@codemirror/autocomplete': ['web/src'],
  '@codemirror/commands': ['web/src'],
  '@codemirror/lang-css': ['web/src'],
  '@codemirror/lang-html': ['web/src'],
  '@codemirror/language': ['web/src'],
  '@codemirror/lint': ['web/src'],
  '@codemirror/merge': ['web/src'],
  '@codemirror/state': ['web/src'],
  '@codemirror/view': ['web/src'],
  '@lezer/highlight': ['web/src'],
  '@mantine/core': ['web/src'],
  '@mantine/hooks': ['web/src'],
  '@mantine/spotlight': ['web/src'],
  '@tanstack/react-query': ['web/src'],
  'lucide-react': ['web/src'],
  react: ['web/src'],
  'react-dom': ['web/src'],
  wouter: ['web/src'],
  '@vitejs/plugin-react': ['web/build'],
  vite: ['web/build', 'web/dev.ts'],
};
