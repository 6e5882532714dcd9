import type { Writers } from '../ai/ai.ts';
import { createBrandVoices } from '../hooks/brand-voices.ts';
import { createHooks } from '../hooks/hooks.ts';
import { exportList } from '../identity/accounts/account-export.ts';
import type { wireBilling } from './billing.ts';
import type { wireBrand } from './brand.ts';
import { type Base, defineService } from './service.ts';

type HooksDeps = Base & {
  readonly metering: Pick<ReturnType<typeof wireBilling>['api'], 'entitlements' | 'quota' | 'visitorQuota'>;
  /** With short timeouts: a caller waits, and its units stay reserved. */
  readonly writers: Writers;
  readonly brand: ReturnType<typeof wireBrand>;
};

/** The hook generator and the brand voices. */
export function wireHooks({ sql, config, prompts, metering, writers, brand }: HooksDeps) {
  const { entitlements, quota, visitorQuota } = metering;
  const brandVoices = createBrandVoices({ sql, entitlements });
  const { hooksDefaultProvider: defaultProvider, hooksByokFree: byokFree } = config;
  const hooks = createHooks({
    sql,
    prompts,
    writers,
    entitlements,
    quota,
    visitorQuota,
    voices: brandVoices,
    brandVoice: brand.forHooks,
    defaultProvider,
    byokFree,
  });
  return defineService({
    api: { hooks, brandVoices },
    listeners: hooks.listeners,
    retained: [{ kind: 'hooks', rows: hooks.history }],
    exporters: [
      { name: 'generations', read: hooks.history.all },
      exportList('brand_voices', brandVoices.list),
    ],
  });
}
