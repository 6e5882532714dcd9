import type { Config } from '../config.ts';
import { Fault } from '../errors.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Writer, Writers } from './ai.ts';
import type { WriterSettings } from './model-writer.ts';
import { LIST_PRICES } from './prices.ts';
import {
  ANY_MODEL,
  allowedModels,
  entryOf,
  isConfigured,
  mapProviders,
  ownKeyTarget,
  PROVIDER_IDS,
  type Protocol,
  type ProviderChoice,
  type ProviderId,
  providerOf,
  requiredSettings,
} from './providers.ts';
import { countingTokens, type Payer, type Spending } from './spending.ts';

type WritersDeps = {
  readonly config: Pick<Config, 'aiProviders' | 'aiPrices' | 'aiModels' | 'aiOwnKeysToBaseUrl'>;
  readonly adapters: Readonly<Record<Protocol, (settings: WriterSettings) => Writer>>;
  readonly spending: Pick<Spending, 'meter'>;
  /** @throws Fault forbidden.unverified_ai */
  readonly requireVerified: (payer: Payer) => Promise<void>;
  readonly tracing?: Tracing;
  /** How long a provider may take. */
  readonly limits?: Pick<WriterSettings, 'idleTimeoutMs' | 'totalTimeoutMs'>;
};

/** A key is sent in a header; no provider issues one beyond visible ASCII. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** The writers of the configured providers: the only way to the server's keys, and so where their limits are. */
export function createWriters(deps: WritersDeps): Writers {
  const { config, adapters, spending, requireVerified, tracing, limits = {} } = deps;
  const prices = { ...LIST_PRICES, ...config.aiPrices };
  const open = (one: WriterSettings) => {
    const { protocol } = entryOf(one.provider);
    // A trace goes on only at a server that the operator has chosen.
    const isChosen = one.baseUrl !== undefined && one.baseUrl === config.aiProviders[one.provider].baseUrl;
    const traceparent = isChosen ? tracing?.traceparent : undefined;
    const knownModels = [one.model, ...(config.aiModels ?? [])];
    return adapters[protocol]({ ...limits, ...one, prices, knownModels, tracing, traceparent });
  };
  const writers = mapProviders((id) => {
    const { apiKey, baseUrl = entryOf(id).baseUrl, model } = config.aiProviders[id];
    return isConfigured(id, config.aiProviders[id])
      ? open({ provider: id, apiKey, baseUrl, model })
      : undefined;
  });
  const first = PROVIDER_IDS.map((id) => writers[id]).find((writer) => writer !== undefined);

  function configured(provider: ProviderChoice | undefined): Writer {
    if (!provider) {
      if (first) return first;
      const needed = PROVIDER_IDS.map(requiredSettings).join(', ');
      throw new Fault('not_configured.writer', { settings: needed });
    }
    const id = providerOf(provider);
    const writer = writers[id];
    if (writer) return writer;
    throw new Fault('not_configured.provider', {
      provider: entryOf(id).label,
      setting: requiredSettings(id),
    });
  }

  function requireAllowed(id: ProviderId, model: string | undefined): void {
    const models = allowedModels(config.aiProviders[id], config.aiModels);
    if (model === undefined || models.includes(ANY_MODEL) || models.includes(model)) return;
    const params = { model, models: models.join(', '), provider: entryOf(id).label };
    throw new Fault('model_not_allowed.server_key', params, { data: { models } });
  }

  function withServerKey(writer: Writer, payer: Payer): Writer {
    return {
      provider: writer.provider,
      async write(brief, { onTokens = () => {}, ...options }) {
        requireAllowed(writer.provider, options.model);
        const metered = spending.meter(payer);
        return writer.write(brief, { ...options, meter: (ask) => countingTokens(metered(ask), onTokens) });
      },
    };
  }

  return {
    async choose({ payer, provider, model, apiKey }) {
      if (apiKey !== undefined) {
        const id = providerOf(provider ?? PROVIDER_IDS[0]);
        if (!SENDABLE_KEY.test(apiKey))
          throw new Fault('provider_key_rejected.key', { provider: entryOf(id).label });
        const target = ownKeyTarget(id, config.aiProviders[id], config.aiOwnKeysToBaseUrl);
        return withOwnKey(open({ ...target, provider: id, apiKey }));
      }
      const writer = configured(provider);
      requireAllowed(writer.provider, model);
      await requireVerified(payer);
      return withServerKey(writer, payer);
    },
    isReady: (provider) => (provider ? writers[providerOf(provider)] : first) !== undefined,
  };
}

/** Only the caller can fix their own key when it is rejected or out of credit. */
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
