import { z } from 'zod/v3';

// A plug-in as an operator with schemas of zod 3 would write it.
export const shoutText = {
  name: 'shout_text',
  title: 'Shout',
  description: 'Return a text in capitals.',
  effect: 'read',
  scope: 'any',
  rest: { route: 'POST /v1/plugins/shout' },
  input: z
    .object({ text: z.string().describe('What to shout'), times: z.number().int().default(1) })
    .strict(),
  output: z.object({ text: z.string() }),
  run: async ({ text, times }: { text: string; times: number }) => ({
    text: text.toUpperCase().repeat(times),
  }),
  examples: [{ title: 'a word', input: { text: 'hey' } }],
};
