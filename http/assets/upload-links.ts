import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { App } from '../../src/app.ts';
import type { PartTaken } from '../../src/assets/uploads.ts';
import { Fault } from '../../src/errors.ts';
import { presentAsset } from '../../tools/assets/asset-output.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { baseUrlOf } from '../request.ts';
import { createUploads } from '../upload.ts';

type LinkParts = {
  readonly app: Pick<App, 'assets'>;
  readonly publicUrl: string | undefined;
  /** Called before anything is read. */
  readonly limit: RequestHandler;
};

/** What OpenAPI says of it. */
export const UPLOAD_LINK_ROUTE: DescribedRoute = {
  route: 'PUT /v1/uploads/{token}',
  id: 'put_upload',
  title: 'Send a file to an upload link',
  description:
    'Send a file to its upload link. No credential is needed. To send it in parts, use Content-Range, or PATCH and HEAD as in the tus protocol 1.0.0; bytes that arrived before a request broke off are kept.',
  tag: 'assets',
  credential: 'none',
  headers: {
    'Content-Range': 'bytes first-last/total, for a part',
    'Upload-Offset': 'With PATCH: the bytes that were sent before',
  },
  answers: {
    201: { about: 'The asset', mediaType: 'application/json' },
    204: { about: 'More is expected from Upload-Offset on' },
    409: { about: 'Something else was received; Upload-Offset says how much' },
  },
};

const PARALLEL = 4;
const TUS = { 'Tus-Resumable': '1.0.0', 'Cache-Control': 'no-store' };
const TUS_BODY = 'application/offset+octet-stream';

/**
 * Links that take one file: PUT for all of it or a Content-Range of it; HEAD and PATCH are the core of tus 1.0.0
 * (https://tus.io/protocols/resumable-upload). The token in the path is all the sender needs to know.
 */
export function createUploadLinks({ app, publicUrl, limit }: LinkParts): Router {
  const router = Router();
  const uploads = createUploads();
  const path = '/v1/uploads/:token';
  router.use('/v1/uploads', limit);

  router.options(path, (_req, res) => {
    res
      .set({ ...TUS, 'Tus-Version': '1.0.0' })
      .status(204)
      .end();
  });

  router.head(path, async (req, res) => {
    res.set(await offsetOf(req)).end();
  });

  router.patch(path, async (req, res) => {
    if (!req.is(TUS_BODY)) throw new Fault('unsupported_media_type.asset_upload');
    const offset = /^\d{1,15}$/.exec(req.get('upload-offset') ?? '')?.[0];
    if (offset === undefined) throw new Fault('validation_failed.asset_offset');
    const { received } = await receive(req, res, Number(offset), false);
    res
      .set({ ...TUS, 'Upload-Offset': String(received) })
      .status(204)
      .end();
  });

  router.put(path, async (req, res) => {
    const first = await firstOf(req);
    if (first === undefined) await app.assets.uploads.restart(tokenOf(req));
    const { received, asset } = await receive(req, res, first ?? 0, first === undefined);
    if (!asset)
      return void res
        .set({ ...TUS, 'Upload-Offset': String(received) })
        .status(204)
        .end();
    const { created: _created, ...saved } = asset;
    res.status(201).json(presentAsset(saved, { baseUrl: baseUrlOf(req, publicUrl) }));
  });
  return router;

  async function offsetOf(req: Request): Promise<Record<string, string>> {
    const { received, bytes, expiresAt } = await app.assets.uploads.resume(tokenOf(req));
    return {
      ...TUS,
      'Upload-Offset': String(received),
      'Upload-Length': String(bytes),
      'Upload-Expires': expiresAt.toUTCString(),
    };
  }

  /** Where a part begins; undefined for the whole file. @throws Fault validation_failed.asset_range */
  async function firstOf(req: Request): Promise<number | undefined> {
    const written = req.get('content-range');
    if (written === undefined) return undefined;
    const [, first = '', last = '', total = ''] =
      /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(written) ?? [];
    const { bytes } = await app.assets.uploads.state(tokenOf(req));
    const length = Number(last) - Number(first) + 1;
    if (first === '' || Number(total) !== bytes || length !== Number(req.get('content-length') ?? length))
      throw new Fault('validation_failed.asset_range');
    return Number(first);
  }

  async function receive(req: Request, res: Response, offset: number, isWhole: boolean): Promise<PartTaken> {
    const token = tokenOf(req);
    const { accountId, received, bytes } = await app.assets.uploads.state(token);
    if (received !== offset) {
      res.set({ ...TUS, 'Upload-Offset': String(received) });
      throw new Fault('conflict.asset_offset', { offset: received });
    }
    await app.assets.uploads.requireSpace(accountId, Number(req.get('content-length') ?? 1));
    const taking = { limit: bytes - offset, check: () => {}, concurrency: PARALLEL, keepsCut: true };
    return uploads.receive(req, taking, accountId, ({ path: file, cut }) =>
      app.assets.uploads.take(token, offset, file, isWhole && !cut),
    );
  }
}

function tokenOf({ params }: Request): string {
  return String(params['token']);
}
