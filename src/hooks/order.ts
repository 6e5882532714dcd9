import type { Writers } from '../ai/writer.ts';
import type { Entitlements } from '../billing/entitlements.ts';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { BrandVoice, BrandVoiceSource } from './brand-voice.ts';
import { detectLanguage } from './detect-language.ts';
import type { Favourites } from './favourites.ts';
import type { Language } from './languages.ts';
import type { PlatformId } from './platforms.ts';
import type { HookRequest, ProviderChoice } from './request.ts';
import { chooseSource, type Source } from './source.ts';
import { FREE_STYLES, STYLE_IDS, type StyleId } from './styles.ts';

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
  readonly entitlements: Pick<Entitlements, 'of' | 'requireFeature'>;
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
  await entitlements.requireFeature(accountId, 'brand_voices');
  return voices.get(accountId, id);
}
