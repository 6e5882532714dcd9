import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { id, PIXEL } from './asset-input.ts';
import { Asset, presentAsset } from './asset-output.ts';

export const getAsset = defineTool({
  name: 'get_asset',
  title: 'Get an asset',
  description:
    'Get an asset by ID or path: its public address, type, size, dimensions and where it is used. Add ?w=600&format=webp to the address for another size or format of an image.',
  keywords: {
    en: ['where is this image used', 'address of a picture', 'image url', 'size of a file'],
    es: ['dónde se usa esta imagen', 'dirección de una foto', 'url de la imagen', 'tamaño de un archivo'],
  },
  toolset: 'assets',
  effect: 'read',
  scope: 'assets:read',
  rest: {
    route: 'GET /v1/assets/{asset_id}',
    etag: ({ updated_at, sha256 }) => `${sha256}-${Date.parse(updated_at)}`,
  },
  input: z.object({ asset_id: id }),
  output: Asset,
  run: async (input, call) =>
    presentAsset(await call.app.assets.get(call.caller.accountId, input.asset_id), call),
  examples: [
    {
      title: 'By path',
      given: [['upload_asset', { path: 'images/pixel.png', base64: PIXEL }]],
      input: { asset_id: 'images/pixel.png' },
    },
  ],
});
