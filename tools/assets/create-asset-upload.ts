import { z } from 'zod';
import { LIMITS } from '../../src/assets/asset.ts';
import { defineTool } from '../contract/define.ts';
import { details, path, requirePath } from './asset-input.ts';

export const createAssetUpload = defineTool({
  name: 'create_asset_upload',
  title: 'Create an upload link',
  description:
    'Create an upload link for one file of a known size. It needs no credential, works once and expires after an hour. Send the file with PUT, or in parts with the tus protocol 1.0.0.',
  keywords: {
    en: ['presigned upload', 'resumable upload', 'upload a large file'],
    es: ['enlace de carga', 'carga reanudable', 'subir un archivo grande'],
  },
  toolset: 'assets',
  effect: 'create',
  scope: 'assets:write',
  rest: { route: 'POST /v1/assets/uploads' },
  // upload_asset does the same for models.
  mcp: false,
  input: z.object({
    path,
    bytes: z.int().min(1).max(LIMITS.upload).meta({ description: 'Exact size of the file' }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .meta({ description: 'SHA-256 that the file must have' }),
    ...details,
  }),
  output: z.object({ path: z.string(), upload_url: z.string(), expires_at: z.iso.datetime() }),
  run: async (input, call) => {
    const request = { ...input, path: requirePath(input.path), exact: true };
    const { token, expiresAt } = await call.app.assets.uploads.create(call.caller, request);
    const upload_url = `${call.baseUrl}/v1/uploads/${token}`;
    return { path: request.path, upload_url, expires_at: expiresAt.toISOString() };
  },
  examples: [{ title: 'A clip', input: { path: 'clips/intro.mp4', bytes: 52_428_800 } }],
});
