import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { feedback, GenerationId, givenGeneration, SUBMITTED } from './history-output.ts';

export const rateHook = defineTool({
  name: 'rate_hook',
  title: 'Rate a hook',
  description:
    'Record how a hook performed: copied, used, winner of a comparison, or a metric such as views. Omitted fields stay as they are. Returns how often each style won for this account.',
  keywords: {
    en: [
      'feedback for a hook',
      'it won',
      'I used it',
      'views, likes and clicks',
      'performance',
      'mark as copied',
      'which hook performed best',
      'hook worked well',
      'best hook',
    ],
    es: [
      'registrar el rendimiento de un gancho',
      'este gancho ganó',
      'lo usé',
      'vistas, likes y clics',
      'marcar como copiado',
      'resultados',
      'qué gancho funcionó mejor',
      'gancho que funcionó bien',
      'mejor gancho',
      'marcar un gancho',
    ],
  },
  toolset: 'hooks',
  effect: 'update',
  scope: 'hooks:write',
  rest: { route: 'POST /api/v1/generations/{generation_id}/hooks/{index}/feedback' },
  input: z.object({
    generation_id: GenerationId,
    // The numbers a database keeps there.
    index: z.int().min(0).max(32_767).meta({ description: 'Index in hooks, from 0' }),
    copied: z.boolean().optional(),
    used: z.boolean().optional(),
    winner: z.boolean().optional().meta({ description: 'True if it won a comparison, false if it lost' }),
    metric: z.number().min(0).optional().meta({ description: 'Your own metric, such as views' }),
  }),
  output: z.object({
    generation_id: z.string(),
    index: z.number(),
    ...feedback,
    worked_for_you: z
      .record(z.string(), z.object({ won: z.number(), of: z.number() }))
      .meta({ description: 'Wins per style, of the hooks used or compared' }),
  }),
  run: ({ generation_id: id, index, ...rating }, { app, caller }) =>
    app.hooks.feedback.rate(caller.accountId, { id, index }, rating),
  examples: [
    {
      title: 'The second hook won',
      ...givenGeneration,
      input: { generation_id: SUBMITTED, index: 1, used: true, winner: true, metric: 1200 },
    },
  ],
});
