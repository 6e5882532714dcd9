import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { feedback, GenerationId, givenGeneration, SUBMITTED } from './history-answer.ts';

export const rateHook = defineTool({
  name: 'rate_hook',
  title: 'Say how a hook did',
  description:
    'Keep what became of a hook: copied, used, whether it won a comparison, a figure such as views. What is left out stays as it was. The answer counts which styles worked for this account.',
  toolset: 'hooks',
  effect: 'update',
  scope: 'hooks:write',
  rest: { route: 'POST /api/v1/generations/{id}/hooks/{index}/feedback' },
  input: z.object({
    id: GenerationId,
    // The numbers a database keeps there.
    index: z.int().min(0).max(32_767).meta({ description: 'Place in hooks, from 0' }),
    copied: z.boolean().optional(),
    used: z.boolean().optional(),
    winner: z
      .boolean()
      .optional()
      .meta({ description: 'Did better than what it was compared with, or worse' }),
    metric: z.number().min(0).optional().meta({ description: 'A figure of your own, such as views' }),
  }),
  output: z.object({
    generation_id: z.string(),
    index: z.number(),
    ...feedback,
    worked_for_you: z
      .record(z.string(), z.object({ won: z.number(), of: z.number() }))
      .meta({ description: 'By style: of those used or compared, how many won' }),
  }),
  run: ({ id, index, ...rating }, { app, caller }) =>
    app.hooks.feedback.rate(caller.accountId, { id, index }, rating),
  examples: [
    {
      title: 'the second hook won',
      ...givenGeneration,
      input: { id: SUBMITTED, index: 1, used: true, winner: true, metric: 1200 },
    },
  ],
});
