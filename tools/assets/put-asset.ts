import { z } from 'zod';
import { LIMITS } from '../../src/assets/asset.ts';
import { Fault } from '../../src/errors.ts';
import { defineTool } from '../contract/define.ts';
import { base64, decodeBase64, details, PIXEL, path, requirePath } from './asset-input.ts';
import { Asset, authorOf, presentAsset } from './asset-output.ts';

export const putAsset = defineTool({
  name: 'put_asset',
  title: 'Upload a file to a path',
  description:
    'Store the request body, the bytes of an image, font, sound or clip of up to 200 MB, at a path. Replaces a file already at the path; its address continues to work. Small files can also be sent in JSON as base64.',
  keywords: {
    en: ['upload bytes', 'replace an image', 'send a file as the body'],
    es: ['subir bytes', 'reemplazar una imagen', 'enviar un archivo'],
  },
  toolset: 'assets',
  effect: 'update',
  scope: 'assets:write',
  rest: {
    route: 'PUT /v1/assets/{path}',
    wildcard: 'path',
    created: ({ created }) => created,
    upload: {
      mediaType: '*/*',
      field: 'base64',
      limit: LIMITS.upload,
      // Judged when more of it is there.
      check: () => {},
      concurrency: 4,
    },
  },
  // A model has upload_asset, which also takes addresses and gives links.
  mcp: false,
  input: z.object({ path, base64, ...details }),
  output: Asset.extend({ created: z.boolean() }),
  run: async ({ path: to, base64: content, ...rest }, call) => {
    const file = { ...rest, path: requirePath(to) };
    const { assets } = call.app;
    const author = authorOf(call);
    if (!call.upload && content === undefined) throw new Fault('validation_failed.asset_body');
    await assets.requirePublishable(call.caller, file.path);
    const { created, ...asset } = call.upload
      ? await assets.save(author, { ...file, file: call.upload.path })
      : await assets.saveBytes(author, decodeBase64(content ?? ''), file);
    return { ...presentAsset(asset, call), created };
  },
  examples: [{ title: 'A small image', input: { path: 'images/pixel.png', base64: PIXEL } }],
});
