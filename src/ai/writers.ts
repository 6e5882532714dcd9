import type { Config } from '../config.ts';
import { Fault } from '../errors.ts';
import type { WriterSettings } from './model-writer.ts';
import { PROVIDER_NAMES } from './provider-fault.ts';
import type { ProviderId, Writer, Writers } from './writer.ts';

type Parts = {
  readonly config: Pick<
    Config,
    | 'openaiApiKey'
    | 'openaiBaseUrl'
    | 'openaiModel'
    | 'anthropicApiKey'
    | 'anthropicBaseUrl'
    | 'anthropicModel'
    | 'aiPrices'
  >;
  readonly factories: Readonly<Record<ProviderId, (settings: WriterSettings) => Writer>>;
  /** How long a provider may take. */
  readonly limits?: Pick<WriterSettings, 'idleTimeoutMs' | 'totalTimeoutMs'>;
};

const ALIASES = {
  openai: 'openai',
  provider_a: 'openai',
  anthropic: 'anthropic',
  provider_b: 'anthropic',
} as const satisfies Record<string, ProviderId>;

/** A key goes into a header, and none has ever had more than what is visible in ASCII. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** The settings that turn a provider on. */
const NEEDED: Readonly<Record<ProviderId, string>> = {
  openai: 'OPENAI_API_KEY (or OPENAI_BASE_URL)',
  anthropic: 'ANTHROPIC_API_KEY',
};

/** The writers the settings allow. A server of the operator's own, named by OPENAI_BASE_URL, needs no key. */
export function createWriters({ config, factories, limits = {} }: Parts): Writers {
  const settings: Readonly<Record<ProviderId, WriterSettings>> = {
    openai: {
      ...limits,
      apiKey: config.openaiApiKey,
      baseUrl: config.openaiBaseUrl,
      model: config.openaiModel,
      prices: config.aiPrices,
    },
    anthropic: {
      ...limits,
      apiKey: config.anthropicApiKey,
      baseUrl: config.anthropicBaseUrl,
      model: config.anthropicModel,
      prices: config.aiPrices,
    },
  };
  const openai = config.openaiApiKey || config.openaiBaseUrl ? factories.openai(settings.openai) : undefined;
  const anthropic = config.anthropicApiKey ? factories.anthropic(settings.anthropic) : undefined;
  const writers: Readonly<Record<ProviderId, Writer | undefined>> = { openai, anthropic };
  const first = openai ?? anthropic;

  return {
    choose(provider, own) {
      if (own) {
        const id = ALIASES[provider ?? 'openai'];
        if (!SENDABLE.test(own.apiKey))
          throw new Fault('provider_key_rejected.key', { provider: PROVIDER_NAMES[id] });
        return withOwnKey(factories[id]({ ...settings[id], apiKey: own.apiKey }));
      }
      if (!provider) {
        if (first) return first;
        throw new Fault('not_configured.writer', { settings: `${NEEDED.openai}, ${NEEDED.anthropic}` });
      }
      const id = ALIASES[provider];
      const writer = writers[id];
      if (writer) return writer;
      throw new Fault('not_configured.provider', { provider: PROVIDER_NAMES[id], setting: NEEDED[id] });
    },
    isReady: (provider) => (provider ? writers[ALIASES[provider]] : first) !== undefined,
  };
}

/** A key that is refused, or that nobody pays for, is here the caller's to mend. */
function withOwnKey(writer: Writer): Writer {
  return {
    provider: writer.provider,
    write: (brief, options) =>
      writer.write(brief, options).catch((error: unknown) => {
        throw error instanceof Fault ? ownKeyFault(error) : error;
      }),
  };
}

function ownKeyFault(fault: Fault): Fault {
  const { code, params, cause } = fault;
  if (code === 'provider_auth') return new Fault('provider_key_rejected.key', params, { cause });
  if (code === 'provider_billing') return new Fault('provider_key_rejected.credit', params, { cause });
  return fault;
}
