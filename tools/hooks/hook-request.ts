import { z } from 'zod';
import { Hook } from '../../src/hooks/hook.ts';
import { PLATFORM_IDS } from '../../src/hooks/platforms.ts';
import { STYLE_IDS } from '../../src/hooks/styles.ts';
import { LANGUAGE_TAG } from '../../src/hooks/text/language.ts';
import { type HookOptions, WRITER_NAMES } from '../../src/hooks/writing/generation-request.ts';
import type { InputKey } from '../../src/language.ts';
import type { Call } from '../contract/define.ts';
import { productFiller } from '../contract/fill-products.ts';

/** What the content is about. */
export const Topic = z.string().trim().min(1).max(500);

/** Topics as models read them: a reference to a product is its title and price. */
export async function fillTopics(topics: readonly string[], call: Call): Promise<string[]> {
  const filled: readonly unknown[] = await productFiller(call)(topics);
  return filled.map((topic) => {
    const product = FilledProduct.safeParse(topic).data;
    if (product) return `${product.title} (${product.price} ${product.currency})`;
    return String(topic ?? '');
  });
}

const FilledProduct = z.object({ title: z.string(), price: z.string(), currency: z.string() });

/** A hook that someone wrote: an opening line, perhaps with text to remove, not the whole post. */
export const HookText = z.string().max(1000);

export const Platform = z.enum(PLATFORM_IDS).meta({ description: 'Its limits apply' });

export const HookLanguage = z
  .string()
  .max(35)
  .regex(LANGUAGE_TAG, 'language_tag' satisfies InputKey)
  .meta({ description: 'Such as es-MX' });

/** How hooks are to be, besides their topic. */
export const hookOptions = {
  count: z
    .literal([3, 5, 10], 'hook_count' satisfies InputKey)
    .default(5)
    .meta({ description: 'Each costs one unit' }),
  provider: z.enum(WRITER_NAMES).optional().meta({
    description: 'provider_a is OpenAI, provider_b Anthropic; builtin uses patterns, no model',
  }),
  model: z.string().trim().max(200).optional(),
  platform: Platform.optional(),
  language: HookLanguage.optional(),
  tone: z.string().trim().max(200).optional(),
  audience: z.string().trim().max(300).optional(),
  payoff: z.string().trim().max(500).optional().meta({ description: 'What the content delivers' }),
  styles: z.array(z.enum(STYLE_IDS)).max(STYLE_IDS.length).optional(),
  brand_voice_id: z.string().max(100).optional(),
  avoid_history: z.boolean().default(true).meta({ description: 'Skip hooks that repeat earlier ones' }),
};
const HookInput = z.object(hookOptions);

export function optionsOf(input: z.output<typeof HookInput>): HookOptions {
  const { brand_voice_id: brandVoiceId, avoid_history: avoidHistory, model, ...rest } = input;
  // Clients send an empty model for none.
  return { ...rest, model: model || undefined, brandVoiceId, avoidHistory };
}

/** Hooks in every answer that has them: plain, their styles at the same places, and all there is to say of each. */
export const hookLists = {
  hooks: z.array(z.string()),
  count: z.number(),
  styles_used: z.array(z.string()).meta({ description: 'Styles in the order of hooks' }),
  details: z.array(Hook),
};

export function listHooks(hooks: readonly Hook[]) {
  return {
    hooks: hooks.map(({ text }) => text),
    count: hooks.length,
    styles_used: hooks.map(({ style }) => style),
    details: hooks,
  };
}
