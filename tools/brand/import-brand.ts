import { z } from 'zod';
import { BrandFields } from '../../src/brand/brand.ts';
import { defineTool } from '../contract/define.ts';

const Finding = z.object({
  field: z.string(),
  value: z.string(),
  where: z.string().meta({ description: 'Where on the page it was found' }),
});

export const importBrand = defineTool({
  name: 'import_brand',
  title: 'Read a brand from a website',
  description:
    "Read a company's website and propose its brand: name, logo, colors by area, fonts, links and address, each with where it was found. Saves nothing. Check the proposal, then send the fields you want to save_brand, and the logo to upload_asset.",
  keywords: {
    en: [
      'get the colors of our website',
      'detect the logo from a url',
      'fill in the brand automatically',
      'take logo and colors from a site',
    ],
    es: [
      'sacar los colores de nuestra web',
      'detectar el logo de una web',
      'rellenar la marca automáticamente',
      'tomar los colores de una página web',
    ],
  },
  toolset: 'brand',
  effect: 'external',
  scope: 'brand:write',
  rest: { route: 'POST /api/v1/brand/import' },
  mcp: {
    next: (_output, say) =>
      `Nothing is saved. Show the proposal to the user. Upload the logo with ${say('upload_asset')}, and save what they confirm with ${say('save_brand')}.`,
  },
  input: z.object({
    url: z.string().max(2_000).meta({ description: 'Public https address of the home page' }),
    html: z
      .string()
      .max(600_000)
      .optional()
      .meta({ description: 'HTML of the page; if sent, the page is not fetched' }),
  }),
  output: z.object({
    url: z.string(),
    proposal: z.object(BrandFields.shape).meta({ description: 'Fields for save_brand' }),
    found: z.array(Finding),
    description: z.string().optional(),
    logos: z
      .array(z.object({ url: z.string(), where: z.string() }))
      .meta({ description: 'Other images that may be the logo' }),
    colors: z
      .array(z.object({ color: z.string(), share: z.number() }))
      .meta({ description: 'Colors that the page shows; share of its area, from 0 to 1' }),
  }),
  run: async ({ url, html }, { app, caller, signal }) => ({
    url,
    ...(await app.importBrand(caller.accountId, { url, html }, signal)),
  }),
  examples: [
    {
      title: 'A page sent as HTML',
      input: {
        url: 'https://fernandclay.example/',
        html: '<!doctype html><html lang="en"><title>Pots for your plants | Fern & Clay</title><style>:root{--brand:#12543f}body{background:#fff;color:#222;font-family:Karla,sans-serif}h1{background:var(--brand);color:#fff}</style><header><img class="logo" src="/logo.svg" alt="Fern & Clay"></header><h1>Pots for your plants</h1>',
      },
    },
  ],
});
