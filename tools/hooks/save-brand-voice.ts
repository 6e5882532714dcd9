import { z } from 'zod';
import { contentTag } from '../../src/platform/content-tag.ts';
import { defineTool } from '../contract/define.ts';
import { BrandVoice, MILL, voiceFields, voiceOf } from './brand-voice-answer.ts';

export const saveBrandVoice = defineTool({
  name: 'save_brand_voice',
  title: 'Save a brand voice',
  description:
    'Keep how a brand sounds, for generate_hooks to write in: samples, what to do, what to avoid, words that may not occur. A voice of the same name is replaced whole. At most 20. Part of the Pro plan.',
  toolset: 'hooks',
  effect: 'update',
  scope: 'hooks:write',
  rest: {
    route: 'POST /api/v1/brand-voices',
    created: ({ created }) => created,
    etag: ({ created: _created, ...voice }) => contentTag(voice),
  },
  input: z.object(voiceFields),
  output: BrandVoice.extend({ created: z.boolean().meta({ description: 'False when one was replaced' }) }),
  run: (input, { app, caller, ifMatch }) => app.brandVoices.save(caller.accountId, voiceOf(input), ifMatch),
  examples: [{ title: 'a mill that sells bread', input: MILL }],
});
