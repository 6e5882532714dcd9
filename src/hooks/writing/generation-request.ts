import type { Writer, Writers } from '../../ai/ai.ts';
import {
  entryOf,
  PROVIDER_CHOICES,
  PROVIDER_IDS,
  type ProviderChoice,
  providerOf,
  publicName,
  settingName,
} from '../../ai/providers.ts';
import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import type { Caller } from '../../identity/caller.ts';
import type { BrandVoice, BrandVoiceSource, SpokenBrand } from '../brand-voices.ts';
import type { StyleRanking } from '../history/feedback.ts';
import type { PlatformId } from '../platforms.ts';
import { FREE_STYLES, STYLE_IDS, type StyleId } from '../styles.ts';
import { detectLanguage, type Language } from '../text/language.ts';

/** A request with everything resolved before units are reserved. */
export type GenerationRequest = {
  readonly input: HookRequest;
  readonly writerChoice: WriterChoice;
  readonly platform: PlatformId;
  /** Requested by the caller or set by the brand voice. */
  readonly language: string | undefined;
  /** The language the caller reads; tried first when a text has no language. */
  readonly reads: Language;
  /** The detected language of the topic. */
  readonly guess: string;
  /** As the caller named them, or the account's most successful first. */
  readonly styles: readonly StyleId[];
  readonly voice: BrandVoice | undefined;
};

export type GenerationRequestDeps = {
  readonly entitlements: Pick<Entitlements, 'of' | 'requireFeature'>;
  readonly styleRanking: Pick<StyleRanking, 'rank'>;
  readonly voices: BrandVoiceSource;
  /** How the account's brand sounds, where it says so. */
  readonly brandVoice: (accountId: string) => Promise<SpokenBrand | undefined>;
  readonly writers: Writers;
  readonly defaultProvider: WriterName | undefined;
};

/** @throws Fault api_key_required, plan_required, not_found.brand_voice, and those of `writers.choose` */
export async function resolveRequest(
  deps: GenerationRequestDeps,
  caller: Caller,
  input: HookRequest,
  reads: Language,
): Promise<GenerationRequest> {
  const { accountId, visitor } = caller;
  const writerChoice = await chooseWriter(deps, caller, input);
  const allowed = await stylesOf(deps, accountId, input.styles);
  const isRanked = visitor === undefined && !input.styles?.length;
  const styles = isRanked ? await deps.styleRanking.rank(accountId, allowed) : allowed;
  const spoken = await spokenOf(deps, caller, input);
  const voice = spoken?.voice;
  const language = input.language ?? voice?.language ?? undefined;
  return {
    input: { ...input, tone: input.tone ?? spoken?.tone, audience: input.audience ?? spoken?.audience },
    writerChoice,
    platform: input.platform ?? 'generic',
    language,
    reads,
    guess: language ?? detectLanguage(input.topic, reads),
    styles,
    voice,
  };
}

async function stylesOf(
  { entitlements }: GenerationRequestDeps,
  accountId: string,
  asked: readonly StyleId[] = [],
) {
  const { hooks } = await entitlements.of(accountId);
  const allowed = hooks.plan === 'free' ? FREE_STYLES : STYLE_IDS;
  const beyond = asked.find((style) => !allowed.includes(style));
  if (beyond) throw new Fault('plan_required.feature', { feature: beyond, plan: 'pro' });
  return asked.length > 0 ? [...new Set(asked)] : allowed;
}

/** The voice that was asked for, or else that of the account's brand, where the plan includes brand voices. */
async function spokenOf(
  { entitlements, voices, brandVoice }: GenerationRequestDeps,
  { accountId, visitor }: Caller,
  { brandVoiceId: id }: HookOptions,
): Promise<SpokenBrand | undefined> {
  if (id !== undefined) {
    await entitlements.requireFeature(accountId, 'brand_voices');
    return { voice: await voices.get(accountId, id) };
  }
  if (visitor !== undefined) return undefined;
  const { hooks } = await entitlements.of(accountId);
  return (hooks.features as readonly string[]).includes('brand_voices') ? brandVoice(accountId) : undefined;
}

/** Who may write hooks: an AI provider, or the built-in patterns. */
export const WRITER_NAMES = [...PROVIDER_CHOICES, 'builtin'] as const;
type WriterName = (typeof WRITER_NAMES)[number];

/** Options of a generation, shared by all topics of a batch. */
export type HookOptions = {
  readonly count: number;
  readonly provider?: WriterName | undefined;
  readonly model?: string | undefined;
  readonly platform?: PlatformId | undefined;
  /** BCP 47; default: the language of the topic. */
  readonly language?: string | undefined;
  readonly tone?: string | undefined;
  readonly audience?: string | undefined;
  /** What the content delivers, so that no hook promises more. */
  readonly payoff?: string | undefined;
  readonly styles?: readonly StyleId[] | undefined;
  readonly brandVoiceId?: string | undefined;
  /** Skips hooks similar to the account's recent ones. */
  readonly avoidHistory: boolean;
};

export type HookRequest = HookOptions & {
  readonly topic: string;
  /** The caller's own provider key, used for this call only and never stored. */
  readonly apiKey?: string | undefined;
};

/** Who writes the hooks of a request; `name` is the public one. */
export type WriterChoice =
  | { readonly kind: 'builtin'; readonly name: 'builtin' }
  | {
      readonly kind: 'model';
      readonly name: ProviderChoice;
      readonly writer: Writer;
      readonly ownKey: boolean;
    };

type ChoiceDeps = Pick<GenerationRequestDeps, 'writers' | 'defaultProvider'>;

/** The requested writer, else the operator's default, else the first configured provider. @throws Fault api_key_required, and those of `writers.choose` */
async function chooseWriter(
  { writers, defaultProvider }: ChoiceDeps,
  payer: Caller,
  { provider, model, apiKey }: Pick<HookRequest, 'provider' | 'model' | 'apiKey'>,
): Promise<WriterChoice> {
  const requested = provider ?? defaultProvider;
  if (requested === 'builtin') return { kind: 'builtin', name: 'builtin' };
  const ownKey = apiKey !== undefined && apiKey !== '';
  // Clients that send only a key mean their default provider.
  const named = requested ?? (ownKey ? PROVIDER_IDS[0] : undefined);
  if (!ownKey && !writers.isReady(named)) throw missingKey(named);
  const writer = await writers.choose({ payer, provider: named, model, ...(ownKey && { apiKey }) });
  return {
    kind: 'model',
    name: publicName(writer.provider),
    writer,
    ownKey,
  };
}

function missingKey(choice: ProviderChoice = PROVIDER_IDS[0]): Fault {
  const id = providerOf(choice);
  const params = { provider: entryOf(id).label, setting: settingName(id, 'API_KEY') };
  return new Fault('api_key_required.provider', params);
}
