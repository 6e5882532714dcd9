import { PLATFORMS, type PlatformId } from '../platforms.ts';
import { languageOf } from '../text/language.ts';
import { countGraphemes } from '../text/text.ts';
import { clichedOpening } from './cliches.ts';

/**
 * What to review before publishing: a claim without support in the input, shouting, more than one emoji, longer than the
 * platform shows at first, a clichéd opening, a URL that was removed.
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
    claim_needs_proof: unsupportedClaim(text, `${topic ?? ''} ${payoff ?? ''}`) !== undefined,
    all_caps: isShouted(text),
    emoji: hasSecondEmoji(text),
    cut_off: countGraphemes(text) > PLATFORMS[platform].visible,
    worn_opener: own !== undefined && clichedOpening(text, own) !== undefined,
    // URLs are removed before; checkHook adds this flag.
    url: false,
  };
  return HOOK_FLAGS.filter((flag) => found[flag]);
}

// No emoji is ASCII alone.
const ASCII = /^[\0-\x7f]*$/;

function hasSecondEmoji(text: string): boolean {
  if (ASCII.test(text)) return false;
  const emoji = text.matchAll(/\p{RGI_Emoji}/gv);
  return emoji.drop(1).next().done === false;
}

// Acronyms such as NASA are not shouting.
const SHOUT_LETTERS = 8;

function isShouted(text: string): boolean {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  if (upper < SHOUT_LETTERS) return false;
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0;
  return upper > lower * 2;
}

// Claims a viewer may want proof of: percentages, multiples, money, health. Matched without accents.
const CLAIMS = [
  /\d[\d.,]{0,15}\s?(?:%|percent|per cent|por ciento)/g,
  /\b\d[\d.,]{0,15}\s?x\b|\b\d[\d.,]{0,15} (?:times|veces)\b/g,
  /[$€£¥]\s?\d[\d.,]{0,15}\s?[km]?\b|\b\d[\d.,]{0,15}\s?(?:[$€£¥]|k\b|dollars|euros|pounds|dolares|pesos|usd|eur)/g,
  /\b(?:get rich|rich quick|passive income|make money|earn money|financial freedom|double your money)\b/g,
  /\b(?:hacerte rico|ingresos pasivos|gana(?:r)? dinero|libertad financiera|duplica(?:r)? tu dinero)\b/g,
  /\b(?:cures?|heals?|lose weight|burn fat|detox|anxiety|depression|diabetes|cancer|miracle)\b/g,
  /\b(?:curas?|sana tu|adelgaza(?:r)?|baja(?:r)? de peso|quema(?:r)? grasa|ansiedad|depresion|milagro(?:so|sa)?)\b/g,
];

/** The first claim of a text that the input does not contain, or undefined. */
function unsupportedClaim(text: string, given: string): string | undefined {
  const known = ` ${bare(given)} `;
  const said = bare(text);
  const claims = CLAIMS.flatMap((claim) => [...said.matchAll(claim)].map(([found]) => found.trim()));
  return claims.find((claim) => !known.includes(claim));
}

/** Lower case, without accents, with currency and percent signs next to their number. */
function bare(text: string): string {
  const letters = ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
  const plain = letters.toLowerCase().replace(/\s+/g, ' ');
  return plain.replace(/(?<=\d) (?=[%$€£¥])|(?<=[$€£¥]) (?=\d)/g, '');
}
