import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { MILL, SAVED_VOICE } from './brand-voice-output.ts';

export const deleteBrandVoice = defineTool({
  name: 'delete_brand_voice',
  title: 'Delete a brand voice',
  description: 'Permanently delete a brand voice. Hooks written in it are kept.',
  keywords: {
    en: ['remove a brand voice', 'drop a tone'],
    es: ['borrar voz de marca', 'quitar un tono'],
  },
  toolset: 'hooks',
  effect: 'delete',
  scope: 'hooks:write',
  rest: { route: 'DELETE /api/v1/brand-voices/{brand_voice_id}' },
  input: z.object({ brand_voice_id: z.string().max(64) }),
  output: Deleted,
  run: async ({ brand_voice_id: id }, { app, caller, ifMatch }) => {
    await app.brandVoices.delete(caller.accountId, id, ifMatch);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'An unused voice',
      given: [['save_brand_voice', MILL]],
      input: { brand_voice_id: SAVED_VOICE },
    },
  ],
});
