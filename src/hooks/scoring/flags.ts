import { PLATFORMS, type PlatformId } from '../platforms.ts';
import { countGraphemes } from '../text/graphemes.ts';
import { languageOf } from '../text/language.ts';
import { unprovenClaim } from './claims.ts';
import { wornOpener } from './cliches.ts';

/**
 * What somebody should look at before publishing: a claim nothing given proves, shouting, more than one emoji, longer
 * than the platform shows at first, a beginning read too often, an address that was taken out.
 */
export const HOOK_FLAGS = [
  'claim_needs_proof',
  'all_caps',
  'emoji',
  'cut_off',
  'worn_opener',
  'url',
] as const;
export type HookFlag = (typeof HOOK_FLAGS)[number];

type Context = {
  readonly platform: PlatformId;
  readonly language: string;
  readonly topic?: string | undefined;
  readonly payoff?: string | undefined;
};

/** The flags of a cleaned text, in the order of the list. */
export function findFlags(text: string, { platform, language, topic, payoff }: Context): HookFlag[] {
  const own = languageOf(language);
  const found: Record<HookFlag, boolean> = {
    claim_needs_proof: unprovenClaim(text, `${topic ?? ''} ${payoff ?? ''}`) !== undefined,
    all_caps: isShouted(text),
    emoji:
      text
        .matchAll(/\p{RGI_Emoji}/gv)
        .drop(1)
        .next().done === false,
    cut_off: countGraphemes(text) > PLATFORMS[platform].visible,
    worn_opener: own !== undefined && wornOpener(text, own) !== undefined,
    // Addresses are taken out before; whoever took one out says so.
    url: false,
  };
  return HOOK_FLAGS.filter((flag) => found[flag]);
}

// A name such as NASA is no shouting.
const SHOUT_LETTERS = 8;

function isShouted(text: string): boolean {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0;
  return upper >= SHOUT_LETTERS && upper > lower * 2;
}
