import { type Request, Router } from 'express';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { requireVideoScope } from '../../tools/jobs/video-job.ts';
import type { Authenticate } from '../auth/authentication.ts';
import { sendFile } from '../files/send-file.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';

type VideoFileParts = {
  readonly app: Pick<App, 'videos'>;
  readonly authenticate: Authenticate;
  readonly authMode: Config['authMode'];
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;

const answers = {
  200: { about: 'The file, in its own media type', mediaType: '*/*' },
  206: { about: 'The requested part', mediaType: '*/*' },
  304: { about: 'Unchanged since If-None-Match' },
  416: { about: 'The range is outside the file' },
} as const;

const common = {
  tag: 'videos',
  credential: 'optional',
  query: {
    token: 'Secret of the link, part of its URL',
    download: '1 to save the file instead of showing it',
  },
  headers: { Range: 'bytes=first-last, for part of the file' },
  answers,
} as const;

/** What OpenAPI says of them. */
export const VIDEO_FILE_ROUTES: readonly DescribedRoute[] = [
  {
    ...common,
    route: 'GET /videos/{video_id}/file',
    id: 'download_video',
    title: 'Download a video',
    description: 'Download the file of a completed video, with its link or a credential of the account.',
  },
  {
    ...common,
    route: 'GET /videos/{video_id}/poster',
    id: 'download_poster',
    title: 'Download a video poster',
    description:
      'Download the poster image of a completed video, with its link or a credential of the account: a JPEG, of a transparent video a PNG.',
  },
  {
    ...common,
    route: 'GET /videos/{video_id}/captions.vtt',
    id: 'download_captions',
    title: 'Download video captions',
    description:
      'Download the captions of a completed video as WebVTT, with its link or a credential of the account.',
  },
];

const PARTS = { file: 'file', poster: 'poster', 'captions.vtt': 'captions' } as const;

/** GET and HEAD of a completed video's files, with its link or a credential of the account. */
export function createVideoFiles({ app, authenticate, authMode }: VideoFileParts): Router {
  const router = Router();
  for (const [name, part] of Object.entries(PARTS)) {
    // The router takes HEAD to the same handler.
    router.get(`/videos/:video_id/${name}`, async (req, res) => {
      const id = String(req.params['video_id']);
      const accountId = await readerOf(id, req);
      const file = accountId === undefined ? undefined : await app.videos.openFile(accountId, id, part);
      // What is another's, not ready or was never there is one and the same to the reader.
      if (!file) throw new Fault('not_found.video_file');
      const { mediaType: media_type, ...rest } = file;
      const shared = req.query['token'] !== undefined;
      const manner = { seconds: YEAR_SECONDS, download: isAsked(req), shared };
      await sendFile({ ...rest, media_type, gone: 'not_found.video_bytes' }, manner, req, res);
    });
  }
  return router;

  /** The account whose files the reader may have. */
  async function readerOf(id: string, req: Request): Promise<string | undefined> {
    const { token } = req.query;
    const byLink = typeof token === 'string' ? await app.videos.links.accountOf(id, token) : undefined;
    if (byLink !== undefined) return byLink;
    const bare = req.headers.authorization === undefined;
    if (bare && (token !== undefined || authMode === 'required')) return undefined;
    const caller = await authenticate(req);
    requireVideoScope({ caller }, 'videos:read', 'get_video');
    return caller.accountId;
  }
}

function isAsked({ query: { download } }: Request): boolean {
  return download !== undefined && download !== '0' && download !== 'false';
}
