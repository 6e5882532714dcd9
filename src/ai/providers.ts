/**
 * The AI providers, as data. Settings, enums of the tools, GET /api/v1/config, error messages and the contract tests are
 * derived from this table. The first configured provider, in this order, is the default.
 *
 * To add a provider, add its entry here. With a protocol that has no adapter yet, write the adapter in src/providers/ and
 * name it in src/providers/writer-adapters.ts; the compiler asks for it.
 *
 * Invariant: this file imports nothing, so that configuration can read it.
 */
export const PROVIDERS = {
  openai: {
    alias: 'provider_a',
    label: 'OpenAI',
    protocol: 'openai',
    model: 'gpt-5.6-luna',
    reasoningTokens: 4000,
    keyOptional: true,
    help: {
      apiKey: 'API key for OpenAI, or for the server at OPENAI_BASE_URL.',
      baseUrl:
        'URL of an OpenAI-compatible server, such as Ollama (http://localhost:11434/v1) or OpenRouter. The key is then optional. Unset: OpenAI.',
    },
  },
  anthropic: {
    alias: 'provider_b',
    label: 'Anthropic',
    protocol: 'anthropic',
    model: 'claude-haiku-4-5',
    help: {
      apiKey: 'API key for Anthropic.',
      baseUrl: 'URL of a server with the Anthropic Messages API. Unset: Anthropic.',
    },
  },
} as const satisfies Readonly<Record<string, ProviderEntry>>;

/** The key of an entry is the provider's id: one word of lower-case letters, which in capitals begins its settings. */
type ProviderEntry = {
  /** An earlier public name. It stays the one in responses; new providers have none and use their id. */
  readonly alias?: string;
  readonly label: string;
  /** The wire protocol, and so the adapter. */
  readonly protocol: Protocol;
  /** Address of the API when it is not the adapter's own. */
  readonly baseUrl?: string;
  /** The default of `<ID>_MODEL`. */
  readonly model: string;
  /**
   * Tokens added to every limit for the model's reasoning, where the provider counts it against the limit. Models that do not
   * reason leave them unused. Default: 0.
   */
  readonly reasoningTokens?: number;
  /** A server at `<ID>_BASE_URL` may need no key. */
  readonly keyOptional?: boolean;
  /** What docs/settings.md says of `<ID>_API_KEY` and `<ID>_BASE_URL`. */
  readonly help: { readonly apiKey: string; readonly baseUrl: string };
};

export type Protocol = 'openai' | 'anthropic';

const PROTOCOL_URLS: Readonly<Record<Protocol, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

export type ProviderId = keyof typeof PROVIDERS;
type Alias = Extract<(typeof PROVIDERS)[ProviderId], { readonly alias: string }>['alias'];

/** A provider's id or alias, as callers may send it. */
export type ProviderChoice = ProviderId | Alias;

/** The operator's settings of one provider. */
export type ProviderConfig = {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly model: string;
};

// Object.keys loses the type of the keys.
export const PROVIDER_IDS = Object.keys(PROVIDERS) as [ProviderId, ...ProviderId[]];

/** Every name a caller may send, aliases first. */
export const PROVIDER_CHOICES = [
  ...new Set<ProviderChoice>([...PROVIDER_IDS.map(publicName), ...PROVIDER_IDS]),
] as [ProviderChoice, ...ProviderChoice[]];

export function entryOf(id: ProviderId): ProviderEntry {
  return PROVIDERS[id];
}

/** The provider that a caller's name means. */
export function providerOf(choice: ProviderChoice): ProviderId {
  // Every choice is the public name of a provider or its id.
  return PROVIDER_IDS.find((id) => id === choice || publicName(id) === choice) as ProviderId;
}

/** The name of a provider in responses and in the history. */
export function publicName(id: ProviderId): ProviderChoice {
  // The aliases of the table are the type Alias.
  return (entryOf(id).alias ?? id) as ProviderChoice;
}

/** `OPENAI_API_KEY`. */
export function settingName<const Part extends 'API_KEY' | 'BASE_URL' | 'MODEL'>(id: ProviderId, part: Part) {
  return `${id.toUpperCase() as Uppercase<ProviderId>}_${part}` as const;
}

/** The settings that enable a provider, for messages: `OPENAI_API_KEY (or OPENAI_BASE_URL)`. */
export function requiredSettings(id: ProviderId): string {
  const key = settingName(id, 'API_KEY');
  return entryOf(id).keyOptional ? `${key} (or ${settingName(id, 'BASE_URL')})` : key;
}

export function isConfigured(id: ProviderId, { apiKey, baseUrl }: ProviderConfig): boolean {
  return Boolean(apiKey) || (entryOf(id).keyOptional === true && Boolean(baseUrl));
}

/** In `AI_MODELS`: any model. */
export const ANY_MODEL = '*';

/** The models that may be asked with the server's key, the default first. */
export function allowedModels({ model }: ProviderConfig, listed: readonly string[] = []): readonly string[] {
  return [...new Set([model, ...listed])];
}

/** Where requests with a caller's own key go, and the model they ask by default. */
export function ownKeyTarget(id: ProviderId, { baseUrl, model }: ProviderConfig, toBaseUrl: boolean) {
  if (toBaseUrl || !baseUrl) return { baseUrl: baseUrl ?? entryOf(id).baseUrl, model };
  // The model of another server means nothing to the provider.
  return { baseUrl: entryOf(id).baseUrl, model: entryOf(id).model };
}

/** The address for everyone to read, without a password or query that the operator may have put into it. */
export function ownKeyUrl(id: ProviderId, config: ProviderConfig, toBaseUrl: boolean): string {
  const { baseUrl } = ownKeyTarget(id, config, toBaseUrl);
  const url = new URL(baseUrl ?? PROTOCOL_URLS[entryOf(id).protocol]);
  return `${url.origin}${url.pathname}`.replace(/\/$/, '');
}

/** One value per provider. */
export function mapProviders<Value>(create: (id: ProviderId) => Value): Readonly<Record<ProviderId, Value>> {
  // fromEntries loses the type of the keys; these are all of them.
  return Object.fromEntries(PROVIDER_IDS.map((id) => [id, create(id)])) as Record<ProviderId, Value>;
}
