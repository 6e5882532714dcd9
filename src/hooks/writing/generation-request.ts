import type { Writer, Writers } from '../../ai/writer.ts';
import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import type { Caller } from '../../identity/caller.ts';
import type { BrandVoice, BrandVoiceSource } from '../brand-voices.ts';
import type { Favourites } from '../history/feedback.ts';
import type { PlatformId } from '../platforms.ts';
import { FREE_STYLES, STYLE_IDS, type StyleId } from '../styles.ts';
import { detectLanguage, type Language } from '../text/language.ts';

/** A request with everything that is known before units are held. */
export type Order = {
  readonly request: HookRequest;
  readonly source: Source;
  readonly platform: PlatformId;
  /** What the caller, or the voice, asks for. */
  readonly language: string | undefined;
  /** The language the caller reads: what a text without one is taken for first. */
  readonly reads: Language;
  /** The language of the topic, as far as one can see. */
  readonly guess: string;
  /** As the caller names them, or those that worked best for the account first. */
  readonly styles: readonly StyleId[];
  readonly voice: BrandVoice | undefined;
};

export type OrderParts = {
  readonly entitlements: Pick<Entitlements, 'of' | 'demand'>;
  readonly favourites: Pick<Favourites, 'order'>;
  readonly voices: BrandVoiceSource;
  readonly writers: Writers;
  readonly defaultProvider: ProviderChoice | undefined;
};

/** @throws Fault api_key_required, plan_required, not_found.brand_voice */
export async function openOrder(
  parts: OrderParts,
  { accountId, visitor }: Caller,
  request: HookRequest,
  reads: Language,
): Promise<Order> {
  const source = chooseSource(parts, request);
  const allowed = await stylesOf(parts, accountId, request.styles);
  const isOpen = visitor === undefined && !request.styles?.length;
  const styles = isOpen ? await parts.favourites.order(accountId, allowed) : allowed;
  const voice = await voiceOf(parts, accountId, request.brandVoiceId);
  const language = request.language ?? voice?.language ?? undefined;
  return {
    request,
    source,
    platform: request.platform ?? 'generic',
    language,
    reads,
    guess: language ?? detectLanguage(request.topic, reads),
    styles,
    voice,
  };
}

async function stylesOf({ entitlements }: OrderParts, accountId: string, asked: readonly StyleId[] = []) {
  const { hooks } = await entitlements.of(accountId);
  const allowed = hooks.plan === 'free' ? FREE_STYLES : STYLE_IDS;
  const beyond = asked.find((style) => !allowed.includes(style));
  if (beyond) throw new Fault('plan_required.feature', { feature: beyond, plan: 'pro' });
  return asked.length > 0 ? [...new Set(asked)] : allowed;
}

async function voiceOf({ entitlements, voices }: OrderParts, accountId: string, id: string | undefined) {
  if (id === undefined) return undefined;
  await entitlements.demand(accountId, 'brand_voices');
  return voices.get(accountId, id);
}

/** Names of who writes: as on the wire, and by their true names. */
export const PROVIDER_CHOICES = ['provider_a', 'provider_b', 'openai', 'anthropic', 'builtin'] as const;
type ProviderChoice = (typeof PROVIDER_CHOICES)[number];

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

/** Who writes the hooks of a request; `name` is the one on the wire. */
export type Source =
  | { readonly kind: 'builtin'; readonly name: 'builtin' }
  | {
      readonly kind: 'model';
      readonly name: 'provider_a' | 'provider_b';
      readonly writer: Writer;
      readonly ownKey: boolean;
    };

type Parts = { readonly writers: Writers; readonly defaultProvider: ProviderChoice | undefined };

/** The one asked for, else the operator's choice, else the first that is set up. @throws Fault api_key_required */
function chooseSource(
  { writers, defaultProvider }: Parts,
  { provider, apiKey }: Pick<HookRequest, 'provider' | 'apiKey'>,
): Source {
  const asked = provider ?? defaultProvider;
  if (asked === 'builtin') return { kind: 'builtin', name: 'builtin' };
  const ownKey = apiKey !== undefined && apiKey !== '';
  // With a key of one's own and no name, the client's default.
  const named = asked ?? (ownKey ? 'provider_a' : undefined);
  if (!ownKey && !writers.isReady(named)) throw noKey(named);
  const writer = writers.choose(named, ownKey ? { apiKey } : undefined);
  return {
    kind: 'model',
    name: writer.provider === 'openai' ? 'provider_a' : 'provider_b',
    writer,
    ownKey,
  };
}

function noKey(provider: Exclude<ProviderChoice, 'builtin'> | undefined): Fault {
  const isB = provider === 'provider_b' || provider === 'anthropic';
  return new Fault(
    'api_key_required.provider',
    isB
      ? { provider: 'Anthropic', setting: 'ANTHROPIC_API_KEY' }
      : { provider: 'OpenAI', setting: 'OPENAI_API_KEY' },
  );
}
