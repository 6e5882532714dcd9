import { Fault } from '../errors.ts';
import type { ModelFailure } from './model.ts';
import { entryOf, type ProviderId, settingName } from './providers.ts';

type Requested = { readonly provider: ProviderId; readonly model: string };

/** The fault a caller gets for a failed request. Its cause has status and code, never the provider's own text. */
export function providerFault(
  { is, about, retryAfterMs }: ModelFailure,
  { provider, model }: Requested,
): Fault {
  const params = { provider: entryOf(provider).label, model };
  const cause = new Error(about);
  const later = retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) };
  switch (is) {
    case 'auth':
      return new Fault(
        'provider_auth.key',
        { ...params, setting: settingName(provider, 'API_KEY') },
        { cause },
      );
    case 'billing':
      return new Fault('provider_billing.credit', params, { cause });
    case 'unknown_model':
      return new Fault('model_not_found.provider', params, { cause });
    case 'refused':
      return new Fault('topic_refused.provider', params, { cause });
    case 'too_long':
      return new Fault('too_large.model_input', params, { cause });
    case 'rate_limited':
      return new Fault('provider_rate_limited.calls', params, { cause, ...later });
    case 'down':
      return new Fault('provider_unavailable.down', params, { cause, ...later });
    case 'timeout':
      return new Fault('provider_timeout.model', params, { cause });
    case 'address':
      return new Fault(
        'provider_unavailable.address',
        { ...params, setting: settingName(provider, 'BASE_URL') },
        { cause },
      );
    case 'endless':
      return new Fault('provider_bad_output.endless', params, { cause });
    case 'form':
    case 'request':
      return new Fault('provider_unavailable.request', params, { cause });
  }
}
