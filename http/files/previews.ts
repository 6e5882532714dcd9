import { hash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { Fault } from '../../src/errors.ts';
import { readEngineFiles, shippedFonts } from '../../src/videos/engine-files.ts';
import { PREVIEW_PATHS } from '../../src/videos/preview-addresses.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { hasTag } from '../rest/response.ts';

const answers = (mediaType: string) => ({
  200: { about: 'The file', mediaType },
  304: { about: 'Unchanged since If-None-Match' },
});

/** What OpenAPI says of them. */
export const PREVIEW_FILE_ROUTES: readonly DescribedRoute[] = [
  {
    route: 'GET /video-templates/engine/{file}',
    id: 'get_preview_module',
    title: 'Get a preview module',
    description: 'Get the code that plays a video template in a page. Rendering uses the same code.',
    tag: 'videos',
    credential: 'none',
    answers: answers('text/javascript'),
  },
  {
    route: 'GET /video-templates/fonts/{family}/{file}',
    id: 'get_video_font',
    title: 'Get a video font',
    description: 'Get a font that every video template can use.',
    tag: 'videos',
    credential: 'none',
    answers: answers('font/woff2'),
  },
];

/**
 * Code and fonts of previews: public, and for pages of every origin, since a preview runs in a sandbox, where it has none.
 * The same for everybody, so nothing here looks at who asks.
 */
export function createPreviewFiles(): Router {
  const router = Router();
  router.get(`${PREVIEW_PATHS.engine}/*path`, (req, res, next) => {
    const path = pathOf(req);
    if (OF_TEMPLATES.has(path)) return next();
    const source = readEngineFiles().get(path);
    if (source === undefined) throw new Fault('not_found.file');
    // After an update the modules of one page are to be of one version.
    send(req, res, { bytes: Buffer.from(source), type: 'text/javascript; charset=utf-8', cache: 'no-cache' });
  });
  router.get(`${PREVIEW_PATHS.fonts}/*path`, (req, res, next) => {
    const path = pathOf(req);
    if (OF_TEMPLATES.has(path)) return next();
    const font = shippedFonts().files.get(`fonts/${path}`);
    if (!font) throw new Fault('not_found.file');
    send(req, res, { bytes: font.bytes, type: font.mediaType, cache: 'max-age=86400' });
  });
  return router;
}

/** A template may be called engine, or fonts. */
const OF_TEMPLATES = new Set(['preview', 'versions']);

/** The router gives the parts of what a wildcard stands for. */
function pathOf({ params: { path } }: Request): string {
  return Array.isArray(path) ? path.join('/') : String(path);
}

type Sent = { readonly bytes: Uint8Array; readonly type: string; readonly cache: string };

function send(req: Request, res: Response, { bytes, type, cache }: Sent): void {
  const tag = hash('sha256', bytes, 'base64url');
  res.set({
    ETag: `"${tag}"`,
    'Cache-Control': `public, ${cache}`,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  if (hasTag(req, tag)) return void res.status(304).end();
  res.set('Content-Type', type).end(bytes);
}
