import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { details, id, PIXEL, path, requirePath } from './asset-input.ts';
import { Asset, authorOf, namesOf, presentAsset } from './asset-output.ts';

export const updateAsset = defineTool({
  name: 'update_asset',
  title: 'Update an asset',
  description:
    'Move an asset to another path, change its alternative text or tags, or restore a deleted one with restore=true. Its public address stays, asset:OLD-PATH does not. To replace the file, upload to the same path with upload_asset.',
  keywords: {
    en: ['rename a picture', 'move to a folder', 'tag an image', 'restore a deleted file', 'alt text'],
    es: [
      'renombrar una imagen',
      'mover a una carpeta',
      'etiquetar una foto',
      'restaurar un archivo',
      'texto alternativo',
    ],
  },
  toolset: 'assets',
  effect: 'update',
  scope: 'assets:write',
  rest: { route: 'PATCH /v1/assets/{asset_id}' },
  input: z.object({
    asset_id: id,
    path: path.optional().meta({ description: 'New path; references by the old one stop working' }),
    ...details,
    restore: z.boolean().default(false).meta({ description: 'Restore a deleted asset' }),
  }),
  output: Asset,
  confirm: async ({ asset_id: asset, path: to }, { app, caller }) => {
    const { path, used_by: users } = await app.assets.get(caller.accountId, asset);
    if (to === undefined || to === path || users.length === 0) return undefined;
    return { key: 'move_asset', params: { path, users: namesOf(users) } };
  },
  run: async ({ asset_id: asset, path: to, alt, tags, restore }, call) => {
    const change = {
      ...(to !== undefined && { path: requirePath(to) }),
      ...(alt !== undefined && { alt }),
      ...(tags && { tags }),
      ...(restore && { deleted: false as const }),
    };
    if (to !== undefined) await call.app.assets.requirePublishable(call.caller, asset);
    return presentAsset(await call.app.assets.update(authorOf(call), asset, change), call);
  },
  examples: [
    {
      title: 'Another path and a tag',
      given: [['upload_asset', { path: 'images/pixel.png', base64: PIXEL }]],
      input: { asset_id: 'images/pixel.png', path: 'brand/red.png', tags: ['brand'] },
    },
  ],
});
