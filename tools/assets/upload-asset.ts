import { z } from 'zod';
import { LIMITS } from '../../src/assets/asset.ts';
import { Fault } from '../../src/errors.ts';
import { type Call, defineTool } from '../contract/define.ts';
import { base64, decodeBase64, details, PIXEL, path, requirePath } from './asset-input.ts';
import { Asset, authorOf, namesOf, presentAsset } from './asset-output.ts';

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .optional()
  .meta({ description: 'For an upload link: SHA-256 that the file must have' });
const bytes = z
  .int()
  .min(1)
  .max(LIMITS.upload)
  .optional()
  .meta({ description: 'For an upload link: exact size of the file in bytes' });

/** Everything of an asset, or of the link that makes one. */
const Uploaded = Asset.partial().extend({
  path: z.string(),
  created: z.boolean().optional(),
  upload_url: z
    .string()
    .optional()
    .meta({ description: 'Takes the file once, by PUT, without a credential' }),
  expires_at: z.iso.datetime().optional(),
});

const SEND =
  'Send the file with: curl -T FILE "upload_url". No header is needed. The link works once, for an hour. If the upload breaks off, HEAD returns Upload-Offset; continue with PATCH.';

export const uploadAsset = defineTool({
  name: 'upload_asset',
  title: 'Upload an asset',
  description:
    'Store an image, font, sound or clip in the account, from a public URL (url) or base64 (2 MB). Without both, returns an upload link that takes the file by PUT, up to 200 MB. Returns the public url and the reference asset:PATH for emails and videos.',
  keywords: {
    en: [
      'upload an image',
      'add a logo',
      'host a picture',
      'upload a font, music or video',
      'store a file',
      'put up our logo',
      'upload a photo',
    ],
    es: [
      'subir una imagen',
      'agregar un logo',
      'alojar una foto',
      'subir una fuente, música o video',
      'guardar un archivo',
      'subir el logo',
      'subir una foto',
    ],
  },
  toolset: 'assets',
  effect: 'create',
  scope: 'assets:write',
  rest: { route: 'POST /v1/assets' },
  mcp: { next: ({ upload_url }) => (upload_url === undefined ? undefined : SEND) },
  input: z.object({
    path,
    url: z.string().max(2_000).optional().meta({ description: 'Public https address of the file' }),
    base64,
    bytes,
    sha256,
    ...details,
  }),
  output: Uploaded,
  confirm: async ({ path: to }, { app, caller }) => {
    const there = await app.assets.get(caller.accountId, to).catch(notThere);
    if (!there || there.used_by.length === 0) return undefined;
    return { key: 'replace_asset', params: { path: there.path, users: namesOf(there.used_by) } };
  },
  run: async ({ url, base64: content, bytes: size, sha256: digest, ...input }, call) => {
    const file = { ...input, path: requirePath(input.path) };
    if (url !== undefined && content !== undefined) throw new Fault('validation_failed.asset_sources');
    const { assets } = call.app;
    const author = authorOf(call);
    await assets.requirePublishable(call.caller, file.path);
    if (content !== undefined)
      return presentSaved(await assets.saveBytes(author, decodeBase64(content), file), call);
    if (url !== undefined) return presentSaved(await assets.saveFrom(author, url, file, call.signal), call);
    const wanted = { ...file, bytes: size ?? LIMITS.upload, exact: size !== undefined, sha256: digest };
    return presentLink(await assets.uploads.create(call.caller, wanted), file.path, call);
  },
  examples: [
    { title: 'A small image', input: { path: 'images/pixel.png', base64: PIXEL, alt: 'A red pixel' } },
  ],
});

function notThere(error: unknown): undefined {
  if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
}

function presentSaved({ created, ...asset }: Awaited<ReturnType<Call['app']['assets']['save']>>, call: Call) {
  return { ...presentAsset(asset, call), created };
}

function presentLink(
  { token, expiresAt }: { readonly token: string; readonly expiresAt: Date },
  to: string,
  { baseUrl }: Call,
) {
  const upload_url = `${baseUrl}/v1/uploads/${token}`;
  return { path: to, upload_url, expires_at: expiresAt.toISOString() };
}
