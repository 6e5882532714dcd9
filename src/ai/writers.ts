import type { Config } from '../config.ts';
import { Fault } from '../errors.ts';
import type { Writer, Writers } from './ai.ts';
import type { WriterSettings } from './model-writer.ts';
import {
  entryOf,
  isConfigured,
  mapProviders,
  PROVIDER_IDS,
  type Protocol,
  providerOf,
  requiredSettings,
} from './providers.ts';

type WritersDeps = {
  readonly config: Pick<Config, 'aiProviders' | 'aiPrices'>;
  readonly adapters: Readonly<Record<Protocol, (settings: WriterSettings) => Writer>>;
  /** How long a provider may take. */
  readonly limits?: Pick<WriterSettings, 'idleTimeoutMs' | 'totalTimeoutMs'>;
};

/** A key is sent in a header; no provider issues one beyond visible ASCII. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** The writers of the configured providers. */
export function createWriters({ config, adapters, limits = {} }: WritersDeps): Writers {
  const settings = mapProviders((id): WriterSettings => {
    const { apiKey, baseUrl = entryOf(id).baseUrl, model } = config.aiProviders[id];
    return { ...limits, provider: id, apiKey, baseUrl, model, prices: config.aiPrices };
  });
  const open = (one: WriterSettings) => adapters[entryOf(one.provider).protocol](one);
  const writers = mapProviders((id) =>
    isConfigured(id, config.aiProviders[id]) ? open(settings[id]) : undefined,
  );
  const first = PROVIDER_IDS.map((id) => writers[id]).find((writer) => writer !== undefined);

  return {
    choose(provider, own) {
      if (own) {
        const id = providerOf(provider ?? PROVIDER_IDS[0]);
        if (!SENDABLE_KEY.test(own.apiKey))
          throw new Fault('provider_key_rejected.key', { provider: entryOf(id).label });
        return withOwnKey(open({ ...settings[id], apiKey: own.apiKey }));
      }
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
