import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { id, PIXEL } from './asset-input.ts';
import { authorOf } from './asset-output.ts';

export const deleteAsset = defineTool({
  name: 'delete_asset',
  title: 'Delete an asset',
  description:
    'Delete an asset. Its address stops working immediately, also in emails already sent; caches may keep it. Fails if a template uses it, unless force=true. Restorable for 30 days with update_asset.',
  keywords: {
    en: ['remove an image', 'delete a picture', 'free up storage', 'take a file offline'],
    es: ['borrar una imagen', 'eliminar una foto', 'liberar espacio', 'retirar un archivo'],
  },
  toolset: 'assets',
  effect: 'delete',
  scope: 'assets:write',
  rest: { route: 'DELETE /v1/assets/{asset_id}' },
  input: z.object({
    asset_id: id,
    force: z.boolean().default(false).meta({ description: 'Delete it even if it is in use' }),
  }),
  output: Deleted,
  confirm: async ({ asset_id: asset }, { app, caller }) => {
    const { path } = await app.assets.get(caller.accountId, asset);
    return { key: 'delete_asset', params: { path } };
  },
  run: async (input, call) => {
    if (input.force) await call.app.assets.requirePublishable(call.caller, input.asset_id);
    await call.app.assets.delete(authorOf(call), input.asset_id, input.force);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'One that nothing uses',
      given: [['upload_asset', { path: 'images/pixel.png', base64: PIXEL }]],
      input: { asset_id: 'images/pixel.png' },
    },
  ],
});
