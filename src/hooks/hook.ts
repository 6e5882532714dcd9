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
    .meta({ description: 'How well it is made, by named rules; not a prediction of views' }),
  why: z.string().meta({ description: 'Why it should work, in the language of the hook' }),
  pattern: z.string().meta({ description: 'The shape it follows' }),
  chars: z.int().meta({ description: 'Length in characters as people count them' }),
  seconds: z.number().meta({ description: 'How long it takes to say' }),
  flags: z
    .array(z.enum(HOOK_FLAGS))
    .meta({ description: 'What to look at before publishing; costs no points' }),
});
export type Hook = z.output<typeof Hook>;
