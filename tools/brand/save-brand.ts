import { z } from 'zod';
import { versionTag } from '../../src/brand/brand.ts';
import type { InputKey } from '../../src/language.ts';
import { type Call, defineTool } from '../contract/define.ts';
import { brandFields, brandName } from './brand-input.ts';
import { Brand, presentBrand } from './brand-output.ts';

/** What changes nothing that is shown or written, so a model may change it without asking. */
const UNSEEN: ReadonlySet<string> = new Set(['languages']);

export const saveBrand = defineTool({
  name: 'save_brand',
  title: 'Save the brand',
  description:
    'Change the brand of the account: send only the fields to change; null removes one. Emails, videos, hooks and generated templates use it immediately. Returns the brand with warnings for colors of low contrast. To read it from a website first, use import_brand.',
  keywords: {
    en: [
      'set our logo',
      'brand colors',
      'change the fonts',
      'company address in the footer',
      'tone of voice',
    ],
    es: [
      'poner nuestro logo',
      'colores de la marca',
      'cambiar las fuentes',
      'dirección de la empresa en el pie',
      'tono de voz',
    ],
  },
  toolset: 'brand',
  effect: 'update',
  scope: 'brand:write',
  rest: { route: 'PUT /api/v1/brand', created: ({ created }) => created, etag: versionTag },
  input: z.object({
    brand: brandName,
    ...brandFields,
    expected_version: z
      .int('brand_version' satisfies InputKey)
      .min(0)
      .optional()
      .meta({ description: 'Version you read; a newer one is not overwritten' }),
  }),
  output: Brand.extend({ created: z.boolean().meta({ description: 'True for the first save' }) }),
  confirm: async ({ brand, expected_version: _, ...fields }) => {
    const seen = Object.entries(fields).filter(([name, value]) => value !== undefined && !UNSEEN.has(name));
    if (seen.length === 0) return undefined;
    const shown = Object.fromEntries(seen);
    return { key: 'save_brand', params: { brand, fields: Object.keys(shown).join(', ') }, shown };
  },
  run: async ({ brand, expected_version: expectedVersion, ...change }, call) => {
    const precondition = { expectedVersion, ifMatch: call.ifMatch };
    const saved = await call.app.brands.save(authorOf(call), brand, change, precondition);
    return { ...(await presentBrand(saved, call)), created: saved.created };
  },
  examples: [
    {
      title: 'Name, colors and address',
      input: {
        name: 'Fern & Clay',
        colors: { primary: '#12543f', accent: '#d3f08a', background: '#ffffff', text: '#14201a' },
        address: 'Rua da Rosa 41, 1200-383 Lisbon, Portugal',
      },
    },
    {
      title: 'Remove the accent color',
      given: [['save_brand', { colors: { primary: '#12543f', accent: '#d3f08a' } }]],
      input: { colors: { accent: null }, expected_version: 1 },
    },
  ],
});

const authorOf = ({ caller }: Pick<Call, 'caller'>) => ({
  accountId: caller.accountId,
  actor: caller.actor,
});
