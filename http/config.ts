import { Router } from 'express';
import { z } from 'zod';
import {
  allowedModels,
  isConfigured,
  ownKeyUrl,
  PROVIDER_IDS,
  PROVIDERS,
  publicName,
} from '../src/ai/providers.ts';
import type { Config } from '../src/config.ts';
import { PLATFORMS } from '../src/hooks/platforms.ts';
import { FREE_STYLES, STYLE_IDS, STYLES } from '../src/hooks/styles.ts';
import type { Locale } from '../src/language.ts';
import type { DescribedRoute } from './openapi/described-route.ts';
import { localeOf } from './request.ts';

type Settings = Pick<
  Config,
  | 'authMode'
  | 'oidcIssuer'
  | 'oidcPublishableKey'
  | 'aiProviders'
  | 'aiModels'
  | 'aiOwnKeysToBaseUrl'
  | 'hooksByokFree'
  | 'stripeSecretKey'
  | 'googleClientId'
  | 'googleClientSecret'
  | 'shopifyClientId'
  | 'shopifyClientSecret'
  | 'syncDemo'
>;

const BUILTIN: Readonly<Record<Locale, string>> = { en: 'Built-in patterns', es: 'Patrones integrados' };

const ConfigAnswer = z.object({
  auth: z.object({
    mode: z
      .enum(['open', 'password', 'oidc'])
      .meta({ description: 'How people sign in; open needs no sign-in' }),
    issuer: z.string().optional(),
    publishable_key: z.string().optional(),
  }),
  providers: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      server_key: z.boolean().meta({ description: 'False when callers must send their own api_key' }),
      models: z
        .array(z.string())
        .optional()
        .meta({ description: "Models allowed with the server's key, the default first; * is any" }),
      own_key_url: z
        .string()
        .optional()
        .meta({ description: "Address to which a caller's own api_key is sent" }),
    }),
  ),
  platforms: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      hard: z.number().nullable(),
      visible: z.number().nullable(),
    }),
  ),
  styles: z.array(z.object({ id: z.string(), label: z.string(), free: z.boolean() })),
  own_key_free: z
    .boolean()
    .meta({ description: "True when hooks generated with the caller's own api_key cost no units" }),
  billing_enabled: z.boolean(),
  connect: z.object({
    google: z.boolean().meta({ description: 'True when sheets can be connected by consent at Google' }),
    shopify: z.boolean().meta({ description: 'True when stores can be connected by consent at Shopify' }),
    demo: z.boolean().meta({ description: 'The demo store and the demo sheet are enabled' }),
  }),
  version: z.string(),
});

/** What OpenAPI says of it. */
export const CONFIG_ROUTE: DescribedRoute = {
  route: 'GET /api/v1/config',
  id: 'get_config',
  title: 'Get the configuration',
  description:
    'Get what a client needs before sign-in: sign-in mode, AI providers, platforms and styles. Labels follow Accept-Language.',
  tag: 'auth',
  credential: 'none',
  answers: { 200: { about: 'The configuration', schema: ConfigAnswer } },
};

/** What a client must know before anybody has signed in, in a person's language: public, and without a secret. */
export type DescribeServer = (locale: Locale) => object;

export function createDescribeServer(config: Settings, version: string): DescribeServer {
  return (locale) => ({
    auth: authOf(config),
    providers: providersOf(config, locale),
    platforms: Object.entries(PLATFORMS).map(([id, { label, hard, visible }]) => ({
      id,
      label,
      hard,
      visible,
    })),
    styles: STYLE_IDS.map((id) => ({
      id,
      label: STYLES[id].label[locale],
      free: FREE_STYLES.includes(id),
    })),
    own_key_free: config.hooksByokFree,
    billing_enabled: config.stripeSecretKey !== undefined,
    connect: connectOf(config),
    version,
  });
}

export function createConfigRoutes(describe: DescribeServer, language: Locale): Router {
  const router = Router();
  router.get('/api/v1/config', (req, res) => {
    res.vary('Accept-Language').json(describe(localeOf(req, language)));
  });
  return router;
}

function connectOf(config: Settings) {
  const isSet = (...values: (string | undefined)[]) => values.every((value) => value !== undefined);
  return {
    google: isSet(config.googleClientId, config.googleClientSecret),
    shopify: isSet(config.shopifyClientId, config.shopifyClientSecret),
    demo: config.syncDemo,
  };
}

function authOf({ authMode, oidcIssuer: issuer, oidcPublishableKey: key }: Settings) {
  if (issuer) return { mode: 'oidc', issuer, ...(key && { publishable_key: key }) };
  return { mode: authMode === 'open' ? 'open' : 'password' };
}

/** `server_key` false: a caller must bring their own. */
function providersOf({ aiProviders, aiModels, aiOwnKeysToBaseUrl }: Settings, locale: Locale) {
  return [
    ...PROVIDER_IDS.map((id) => ({
      id: publicName(id),
      label: PROVIDERS[id].label,
      server_key: isConfigured(id, aiProviders[id]),
      ...(isConfigured(id, aiProviders[id]) && { models: allowedModels(aiProviders[id], aiModels) }),
      own_key_url: ownKeyUrl(id, aiProviders[id], aiOwnKeysToBaseUrl),
    })),
    { id: 'builtin', label: BUILTIN[locale], server_key: true },
  ];
}
