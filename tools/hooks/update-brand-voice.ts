import { z } from 'zod';
import { contentTag } from '../../src/platform/content-tag.ts';
import { defineTool } from '../contract/define.ts';
import { BrandVoice, MILL, SAVED_VOICE, voiceFields, voiceOf } from './brand-voice-output.ts';

export const updateBrandVoice = defineTool({
  name: 'update_brand_voice',
  title: 'Update a brand voice',
  description:
    'Replace a brand voice by ID, including its name. Omitted fields become empty. To replace one by name, use save_brand_voice.',
  keywords: {
    en: ['edit a brand voice', 'rename a brand voice', 'change the tone', 'add words to avoid'],
    es: ['editar voz de marca', 'renombrar una voz de marca', 'cambiar el tono', 'añadir palabras a evitar'],
  },
  toolset: 'hooks',
  effect: 'update',
  scope: 'hooks:write',
  rest: { route: 'PUT /api/v1/brand-voices/{brand_voice_id}', etag: contentTag },
  input: z.object({ brand_voice_id: z.string().max(64), ...voiceFields }),
  output: BrandVoice,
  run: ({ brand_voice_id: id, ...voice }, { app, caller, ifMatch }) =>
    app.brandVoices.update(caller.accountId, id, voiceOf(voice), ifMatch),
  examples: [
    {
      title: 'A new name',
      given: [['save_brand_voice', MILL]],
      input: { brand_voice_id: SAVED_VOICE, ...MILL, name: 'The Old Mill' },
    },
  ],
});
