import { z } from 'zod';
import { versionTag } from '../../src/brand/brand.ts';
import { defineTool } from '../contract/define.ts';
import { brandName } from './brand-input.ts';
import { Brand, presentBrand } from './brand-output.ts';

export const getBrand = defineTool({
  name: 'get_brand',
  title: 'Get the brand',
  description:
    'Get the brand of the account: name, logos, colors, fonts, voice, address, links and footer, with warnings for colors of low contrast. Templates print it as {{@brand.name}}, videos use it by default.',
  keywords: {
    en: ['our colors', 'brand kit', 'our logo and fonts', 'corporate identity', 'brand guidelines'],
    es: [
      'nuestros colores',
      'identidad de marca',
      'nuestro logo y fuentes',
      'manual de marca',
      'kit de marca',
    ],
  },
  toolset: 'brand',
  effect: 'read',
  scope: 'brand:read',
  rest: { route: 'GET /api/v1/brand', etag: versionTag },
  input: z.object({ brand: brandName }),
  output: Brand.extend({
    brands: z.array(z.string()).meta({ description: 'Names of all brands of the account' }),
    voices: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .meta({ description: 'Other voices, for brand_voice_id of generate_hooks' }),
  }),
  run: async ({ brand }, call) => {
    const { app, caller } = call;
    const found = await app.brands.read(caller.accountId, brand);
    const voices = await app.brandVoices.list(caller.accountId);
    return {
      ...(await presentBrand(found, call)),
      brands: await app.brands.names(caller.accountId),
      voices: voices.map(({ id, name }) => ({ id, name })),
    };
  },
  examples: [{ title: 'The brand of the account', input: {} }],
});
