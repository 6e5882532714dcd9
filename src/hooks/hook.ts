import { z } from 'zod';
import { HOOK_FLAGS } from './scoring/flags.ts';
import { STYLE_IDS } from './styles.ts';

/** A delivered hook, as responses, exports and the history show it. */
export const Hook = z.object({
  id: z.string(),
  text: z.string(),
  style: z.enum(STYLE_IDS),
  score: z
    .int()
    .min(0)
    .max(100)
    .meta({ description: 'Craft score by named rules, 0 to 100; not a prediction of views' }),
  why: z.string().meta({ description: 'Why it should work, in the language of the hook' }),
  pattern: z.string().meta({ description: 'Pattern it follows' }),
  chars: z.int().meta({ description: 'Length in characters as people count them' }),
  seconds: z.number().meta({ description: 'Speaking time in seconds' }),
  flags: z
    .array(z.enum(HOOK_FLAGS))
    .meta({ description: 'What to check before publishing; does not change the score' }),
});
export type Hook = z.output<typeof Hook>;
