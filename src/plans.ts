/** The two apps with paid plans; templates and videos have none. */
export const BILLED_APPS = ['hooks', 'sync'] as const;
export type BilledApp = (typeof BILLED_APPS)[number];

/** Members and invitations of an account whose plan includes members; without it there is the owner alone. */
export const SEATS = 200;

/** The limit of plans without one. */
export const UNLIMITED = -1;

export const HOOKS_PLANS = {
  free: { rank: 0, hooksLimit: 50, history: 20, features: [] },
  pro: { rank: 1, hooksLimit: 1000, history: UNLIMITED, features: ['export', 'brand_voices', 'batch'] },
  enterprise: {
    rank: 2,
    hooksLimit: UNLIMITED,
    history: UNLIMITED,
    features: ['export', 'brand_voices', 'batch', 'api_keys', 'members'],
  },
} as const satisfies Record<string, HooksLimits & { rank: number }>;
export type HooksPlan = keyof typeof HOOKS_PLANS;

export const SYNC_PLANS = {
  free: { rank: 0, stores: 1, sheets: 1, autoSyncMinutes: null, api: false },
  pro: { rank: 1, stores: 5, sheets: 5, autoSyncMinutes: 15, api: false },
  pro_api: { rank: 2, stores: UNLIMITED, sheets: UNLIMITED, autoSyncMinutes: 5, api: true },
} as const satisfies Record<string, SyncLimits & { rank: number }>;
export type SyncPlan = keyof typeof SYNC_PLANS;

export type HooksFeature = 'export' | 'brand_voices' | 'batch' | 'api_keys' | 'members';

export type HooksLimits = {
  /** Hooks per calendar month (UTC). */
  readonly hooksLimit: number;
  /** Number of latest generations in the history. */
  readonly history: number;
  readonly features: readonly HooksFeature[];
};

export type SyncLimits = {
  readonly stores: number;
  readonly sheets: number;
  /** Shortest interval of automatic runs; null if the plan has none. */
  readonly autoSyncMinutes: number | null;
  /** Whether the account's API keys may use it. */
  readonly api: boolean;
};

const GB = 1024 ** 3;

/** Bytes of assets that an account may store, by the higher rank of its two plans. */
const ASSET_BYTES = [GB, 20 * GB, 200 * GB] as const;

type Plans = { readonly hooks: HooksPlan; readonly sync: SyncPlan };

export function assetBytes(plans: Plans): number {
  return ASSET_BYTES[rankOf(plans)] ?? GB;
}

/** Whether one of the two plans is more than free. */
export function isPaid(plans: Plans): boolean {
  return rankOf(plans) > 0;
}

function rankOf(plans: Plans): number {
  return Math.max(HOOKS_PLANS[plans.hooks].rank, SYNC_PLANS[plans.sync].rank);
}

/** Brands that an account may have; `several` where its plan includes more than one. */
export function brandLimit(plan: HooksPlan, several: number): number {
  return HOOKS_PLANS[plan].rank >= HOOKS_PLANS.enterprise.rank ? several : 1;
}
