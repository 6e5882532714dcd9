import { type Request, Router } from 'express';
import { Fault } from '../../src/errors.ts';
import type { Files, OpenedFile } from '../../src/files/files.ts';
import type { Authenticate } from '../auth/authentication.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { fileExchange, sendFile } from './send-file.ts';

type FileParts = { readonly app: { readonly files: Files }; readonly authenticate: Authenticate };

/** What OpenAPI says of it. */
export const FILE_ROUTE: DescribedRoute = {
  route: 'GET /v1/files/{id}',
  id: 'download_file',
  title: 'Download a file',
  description:
    'Download a file that an operation created, with its link or a credential of the account. Files are kept for a day.',
  tag: 'files',
  credential: 'optional',
  query: { token: 'Secret of the link, part of its URL' },
  ...fileExchange,
};

/**
 * GET and HEAD /v1/files/{id}, with the token of the link or a credential of the account.
 *
 * In: an ID with a token or a credential. Out: the bytes. Invariant: a file that is another's, expired or unknown gets
 * the same answer.
 */
export function createFileRoutes({ app, authenticate }: FileParts): Router {
  const router = Router();
  // The router takes HEAD to the same handler.
  router.get('/v1/files/:id', async (req, res) => {
    const file = await find(app.files, authenticate, req);
    // A file that is another's, expired or was never there is one and the same to the reader.
    if (!file) throw new Fault('not_found.file');
    const seconds = Math.floor((Date.parse(file.expires_at) - Date.now()) / 1000);
    const shared = req.query['token'] !== undefined;
    await sendFile({ ...file, gone: 'not_found.file' }, { seconds, shared }, req, res);
  });
  return router;
}

async function find(files: Files, authenticate: Authenticate, req: Request): Promise<OpenedFile | undefined> {
  const id = String(req.params['id']);
  const { token } = req.query;
  const byLink = typeof token === 'string' ? await files.open({ id, token }) : undefined;
  if (byLink) return byLink;
  if (token !== undefined && req.headers.authorization === undefined) return undefined;
  const { accountId } = await authenticate(req);
  return files.open({ id, accountId });
}
