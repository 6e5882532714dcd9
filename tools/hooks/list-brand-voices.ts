import { z } from 'zod';
import { onePage } from '../../src/platform/paging.ts';
import { defineTool } from '../contract/define.ts';
import { page } from '../contract/page.ts';
import { BrandVoice, MILL } from './brand-voice-output.ts';

export const listBrandVoices = defineTool({
  name: 'list_brand_voices',
  title: 'List brand voices',
  description: "List the account's brand voices by name. Send an ID to generate_hooks as brand_voice_id.",
  keywords: {
    en: ['which brand voices are there', 'our tones of voice'],
    es: ['lista de voces de marca', 'qué tonos tenemos', 'mis voces'],
  },
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  rest: { route: 'GET /api/v1/brand-voices' },
  input: z.object({}),
  output: page(BrandVoice),
  run: async (_input, { app, caller }) => onePage(await app.brandVoices.list(caller.accountId)),
  examples: [{ title: 'One voice', given: [['save_brand_voice', MILL]], input: {} }],
});
