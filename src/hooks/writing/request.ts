import type { PlatformId } from '../platforms.ts';
import type { StyleId } from '../styles.ts';

/** Names of who writes: as on the wire, and by their true names. */
export const PROVIDER_CHOICES = ['provider_a', 'provider_b', 'openai', 'anthropic', 'builtin'] as const;
export type ProviderChoice = (typeof PROVIDER_CHOICES)[number];

/** How the hooks of a generation are to be; the same for each topic of a batch. */
export type HookOptions = {
  readonly count: number;
  readonly provider?: ProviderChoice | undefined;
  readonly model?: string | undefined;
  readonly platform?: PlatformId | undefined;
  /** BCP 47; without it, that of the topic. */
  readonly language?: string | undefined;
  readonly tone?: string | undefined;
  readonly audience?: string | undefined;
  /** What the content delivers, so that no hook promises more. */
  readonly payoff?: string | undefined;
  readonly styles?: readonly StyleId[] | undefined;
  readonly brandVoiceId?: string | undefined;
  /** Leaves out what is like a hook the account has had. */
  readonly avoidHistory: boolean;
};

export type HookRequest = HookOptions & {
  readonly topic: string;
  /** The caller's own key at the provider: for this call alone, kept nowhere. */
  readonly apiKey?: string | undefined;
};
