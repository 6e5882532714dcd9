import { z } from 'zod';
import { contentTag } from '../../src/platform/content-tag.ts';
import { defineTool } from '../contract/define.ts';
import { BrandVoice, MILL, voiceFields, voiceOf } from './brand-voice-output.ts';

export const saveBrandVoice = defineTool({
  name: 'save_brand_voice',
  title: 'Save a brand voice',
  description:
    'Create or replace a brand voice by name: samples, what to do, what to avoid and forbidden words. To write hooks in it, send its ID to generate_hooks as brand_voice_id. At most 20 per account. Requires the Pro plan.',
  keywords: {
    en: [
      'create a brand voice',
      'define how our brand sounds',
      'style guide',
      'forbidden words',
      'tone',
      'write as our brand does',
      'teach how our brand speaks',
      'how we talk',
    ],
    es: [
      'crear voz de marca',
      'definir cómo suena la marca',
      'guía de estilo',
      'palabras prohibidas',
      'tono',
      'escribir como nuestra marca',
      'enseñar cómo habla la marca',
      'cómo hablamos',
    ],
  },
  toolset: 'hooks',
  effect: 'update',
  scope: 'hooks:write',
  rest: {
    route: 'POST /api/v1/brand-voices',
    created: ({ created }) => created,
    etag: ({ created: _created, ...voice }) => contentTag(voice),
  },
  input: z.object(voiceFields),
  output: BrandVoice.extend({
    created: z.boolean().meta({ description: 'False when an existing voice was replaced' }),
  }),
  run: (input, { app, caller, ifMatch }) => app.brandVoices.save(caller.accountId, voiceOf(input), ifMatch),
  examples: [{ title: 'A mill that sells bread', input: MILL }],
});
