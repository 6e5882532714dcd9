import { Readable } from 'node:stream';
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { PublicContent } from '../../src/assets/assets.ts';
import { VARIANT_FORMATS } from '../../src/assets/pictures.ts';
import { Fault } from '../../src/errors.ts';
import type { Locale } from '../../src/language.ts';
import { fileExchange, sendFile } from '../files/send-file.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { parseQuery } from '../rest/parse-query.ts';

type PublicParts = {
  readonly app: Pick<App, 'assets' | 'rateLimits' | 'anonymousCallers'>;
  readonly language: Locale;
};

/** What OpenAPI says of it. */
export const PUBLIC_ASSET_ROUTE: DescribedRoute = {
  route: 'GET /a/{sha256}/{name}',
  id: 'get_public_asset',
  title: 'Get a public asset',
  description:
    'Get an asset by its public address. The same address always has the same bytes. Images also come in other sizes and formats; sides are rounded up to fixed steps, and no image is made larger.',
  tag: 'assets',
  credential: 'none',
  query: {
    w: 'Width in pixels',
    h: 'Height in pixels',
    fit: 'With both sides: cover cuts what does not fit (default), contain shrinks to fit',
    format: VARIANT_FORMATS.join(', '),
  },
  ...fileExchange,
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const side = z.coerce.number().int().min(1).max(10_000).optional();

// Mail services and trackers add fields of their own to addresses, which mean nothing here.
const Variant = z.object({
  w: side,
  h: side,
  fit: z.enum(['cover', 'contain']).default('cover'),
  format: z.enum(VARIANT_FORMATS).optional(),
});

/**
 * GET and HEAD /a/{sha256}/{name}: for everyone who knows the hash, on every site. Mounted before the host guard, since emails
 * and other sites show these files. What a stranger can cost is bounded: new sizes are few, made in turns, and limited by
 * network.
 */
export function createPublicAssets({ app, language }: PublicParts): Router {
  const router = Router();
  router.get('/a/:sha256/:name', async (req, res) => {
    const content = await app.assets.findPublic(String(req.params['sha256']));
    if (!content) throw new Fault('not_found.asset_content');
    res.setHeader('Access-Control-Allow-Origin', '*');
    const { w, h, fit, format } = parseQuery(Variant, req, language);
    const asked = { w, h, fit, format };
    if (w === undefined && h === undefined && format === undefined) return send(content, req, res);
    const limit = () => limitVisitor(app, req);
    const { bytes, mediaType, tag } = await app.assets.variant(content, asked, limit);
    const read = async (range = { start: 0, end: bytes.length - 1 }) => ({
      size: bytes.length,
      stream: Readable.from([bytes.subarray(range.start, range.end + 1)]),
    });
    return send({ media_type: mediaType, bytes: bytes.length, sha256: tag, read }, req, res);
  });
  return router;
}

async function limitVisitor(
  { rateLimits, anonymousCallers }: PublicParts['app'],
  { ip }: Request,
): Promise<void> {
  const { visitor = '' } = await anonymousCallers.callerAt(ip);
  await rateLimits.requireWithin('variant', visitor, () => {});
}

function send(
  file: Pick<PublicContent, 'media_type' | 'bytes' | 'sha256' | 'read'>,
  req: Request,
  res: Response,
): Promise<void> {
  const manner = { seconds: YEAR_SECONDS, shared: true, anyone: true } as const;
  return sendFile({ ...file, filename: '', gone: 'not_found.asset_content' }, manner, req, res);
}
