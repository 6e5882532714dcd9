import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Request, type RequestHandler, Router } from 'express';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { DescribeServer } from '../config.ts';
import { readCookie } from '../cookies.ts';
import { createClientFiles, readClientFiles } from './client-files.ts';
import { createPageShell, withFilesIn } from './page-shell.ts';
import { createPageStart, type Manifest } from './page-start.ts';
import { PAGES } from './pages.ts';
import { createPreviewFrame } from './preview-frame.ts';
import { createPublicPages } from './public-pages.ts';
import { createShellPage } from './shell-page.ts';
import { readSocialPictures } from './social-pictures.ts';

/** Where `npm start` and the build of the package put the client. */
const CLIENT_FOLDER = fileURLToPath(new URL('../../web/dist/', import.meta.url));

type WebParts = {
  readonly app: Pick<App, 'billing' | 'blog'>;
  readonly config: Pick<Config, 'authMode' | 'defaultLanguage' | 'publicUrl'>;
  readonly describe: DescribeServer;
  /** The built client. */
  readonly folder?: string;
};

export type Web = {
  /** Its files, its pages, and the frame of previews. Comes before the API. */
  readonly router: Router;
  /** The page that says there is no such page, for browsers alone. Comes after the API. */
  readonly missing: RequestHandler;
};

/**
 * The web client on the origin of the API. A path that both have is answered by what the caller accepts: a browser that opens
 * it gets the page, everything else the API. Without a built client, everyone gets the API.
 * In: the built client. Out: its files and pages. Invariant: no page has data of an account.
 */
export async function createWeb({ app, config, describe, folder = CLIENT_FOLDER }: WebParts): Promise<Web> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined);
  const [page, publicPage] = [await read('index.html'), await read('public.html')];
  const router = Router();
  if (page === undefined || publicPage === undefined)
    return { router, missing: (_req, _res, next) => next() };
  const manifest: Manifest = JSON.parse((await read('.vite/manifest.json')) ?? '{}');
  const start = createPageStart(manifest, describe);
  const shell = createShellPage(page, config.defaultLanguage, start);
  const publicShell = createPageShell(await withFilesIn(publicPage, read), config.defaultLanguage);
  const pictures = readSocialPictures(await read('social.json'));
  const publicPages = await createPublicPages({ app, config, shell: publicShell, pictures });
  router.use(createClientFiles(await readClientFiles(folder)));
  router.use(createPreviewFrame());
  router.get('/', async (req, res, next) => {
    const isVisitor = config.authMode === 'required' && readCookie(req, 'member') !== '1';
    if (!isVisitor || !opensPage(req)) return next();
    await publicPages.landing(req, res);
  });
  router.use(publicPages.router);
  for (const [path, which] of Object.entries(PAGES))
    router.get(path, (req, res, next) => {
      res.vary('Accept');
      if (opensPage(req)) shell.send(req, res, 200, which);
      else next();
    });
  return {
    router,
    missing: (req, res, next) => {
      if (isRead(req) && opensPage(req)) shell.send(req, res, 404, MISSING);
      else next();
    },
  };
}

/** What is shown at an address that is no page. */
const MISSING = { module: 'missing' };

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD';

/** A browser that opens an address asks for HTML by name, and has no credential in a header. */
function opensPage(req: Request): boolean {
  return req.headers.authorization === undefined && req.accepts(['json', 'html']) === 'html';
}
