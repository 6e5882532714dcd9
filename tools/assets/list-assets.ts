import { z } from 'zod';
import { AssetType, LIMITS } from '../../src/assets/asset.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { PIXEL } from './asset-input.ts';
import { Asset, presentAsset } from './asset-output.ts';

export const listAssets = defineTool({
  name: 'list_assets',
  title: 'List assets',
  description:
    "List the account's images, fonts, sounds and clips by path, with their public addresses and where each is used. unused=true lists those that no template, sample data or video template refers to.",
  keywords: {
    en: [
      'which images do we have',
      'media library',
      'search pictures',
      'unused files',
      'our logo',
      'images I uploaded',
    ],
    es: [
      'qué imágenes hay',
      'biblioteca de medios',
      'buscar fotos',
      'archivos sin usar',
      'nuestro logo',
      'imágenes que subí',
    ],
  },
  toolset: 'assets',
  effect: 'read',
  scope: 'assets:read',
  rest: { route: 'GET /v1/assets' },
  input: z.object({
    q: z.string().max(200).optional().meta({ description: 'Part of the path or alternative text' }),
    tag: z.string().max(50).optional(),
    type: AssetType.optional(),
    folder: z.string().max(LIMITS.pathChars).optional().meta({ description: 'Such as images/2026' }),
    unused: z.boolean().default(false).meta({ description: 'Only those that nothing refers to' }),
    deleted: z.boolean().default(false).meta({ description: 'Only deleted ones, restorable for 30 days' }),
    ...paging,
  }),
  output: page(Asset).extend({
    used_bytes: z
      .number()
      .meta({ description: 'Bytes that all assets of the account and unfinished uploads use' }),
    limit_bytes: z.number().meta({ description: 'Bytes that the plan includes' }),
  }),
  run: async ({ folder, ...query }, call) => {
    const { assets } = call.app;
    const { accountId } = call.caller;
    const asked = { ...query, folder: folder?.replace(/\/+$/, '') || undefined };
    const { items, next_cursor } = await assets.list(accountId, asked);
    const { used, limit } = await assets.usage(accountId);
    return {
      items: items.map((asset) => presentAsset(asset, call)),
      next_cursor,
      used_bytes: used,
      limit_bytes: limit,
    };
  },
  examples: [
    {
      title: 'Unused images',
      given: [['upload_asset', { path: 'images/pixel.png', base64: PIXEL }]],
      input: { type: 'image', unused: true },
    },
  ],
});
