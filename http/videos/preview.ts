import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import { type Locale, localizeWarning, type Warning } from '../../src/language.ts';
import { withTimeout } from '../../src/platform/with-timeout.ts';
import { PREVIEW_TYPES, previewAddresses } from '../../src/videos/preview-addresses.ts';
import { Aspect, LIMITS } from '../../src/videos/request.ts';
import type { Voice } from '../../src/voice.ts';
import { requireVideoScope } from '../../tools/jobs/video-job.ts';
import type { Authenticate } from '../auth/authentication.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { limitAccount } from '../rate-limit.ts';
import { baseUrlOf, readerOf } from '../request.ts';
import { parseQuery } from '../rest/parse-query.ts';
import { setSandbox } from '../security-headers.ts';

type VideoPreviewParts = {
  readonly app: Pick<App, 'videos' | 'files' | 'rateLimits'>;
  readonly authenticate: Authenticate;
  readonly language: Locale;
  readonly voice: Voice;
  readonly publicUrl: string | undefined;
};

const Choice = z
  .object({
    aspect: Aspect.optional(),
    duration: z
      .string()
      .transform(Number)
      .pipe(z.number().min(LIMITS.seconds.min).max(LIMITS.seconds.max))
      .optional(),
  })
  .strict();

/** How long fetching what the sample shows may take. */
const PREVIEW_SECONDS = 30;

/** What OpenAPI says of it. */
export const VIDEO_PREVIEW_ROUTE: DescribedRoute = {
  route: 'GET /video-templates/{template}/preview',
  id: 'open_video_template_preview',
  title: 'Preview a video template',
  description:
    'Get a page that plays a video template with its sample data, frame by frame as the video would show it. The page runs in a sandbox.',
  tag: 'videos',
  credential: 'needed',
  query: {
    aspect: "9:16, 1:1 or 16:9; default the template's first",
    duration: "Seconds; default the template's duration",
  },
  answers: { 200: { about: 'The page', mediaType: 'text/html' } },
};

/** What OpenAPI says of it. */
export const VIDEO_PREVIEW_LINK_ROUTE: DescribedRoute = {
  route: 'GET /video-previews/{id}',
  id: 'open_video_preview',
  title: 'Open a video preview',
  description:
    'Get the page that preview_video_template made, with its link. The page runs in a sandbox; the link expires within an hour.',
  tag: 'videos',
  credential: 'none',
  query: { token: 'Secret of the link, part of its URL' },
  answers: { 200: { about: 'The page', mediaType: 'text/html' } },
};

/** `GET /video-templates/{template}/preview`, and the links of preview_video_template. */
export function createVideoPreview({
  app,
  authenticate,
  language,
  voice,
  publicUrl,
}: VideoPreviewParts): Router {
  const router = Router();
  router.get('/video-templates/:name/preview', async (req, res) => {
    const caller = await authenticate(req);
    requireVideoScope({ caller }, 'videos:read', 'get_video_template');
    const choice = parseQuery(Choice, req, language);
    await limitAccount(app, 'read', caller, res);
    const gone = new AbortController();
    const { signal } = gone;
    res.once('close', () => gone.abort());
    const base = baseUrlOf(req, publicUrl);
    const addresses = previewAddresses(base);
    const asked = { ...choice, name: req.params.name };
    const reader = readerOf(req, { language, voice });
    const say = (warning: Warning) => localizeWarning(warning, reader).message;
    const preview = app.videos.preview(caller.accountId, asked, { addresses, say, signal });
    const { html, scripts } = await withTimeout(preview, {
      signal,
      timeoutMs: PREVIEW_SECONDS * 1000,
      timeoutError: late,
    });
    setSandbox(res, policyOf(addresses, scripts));
    res.set('Content-Type', 'text/html; charset=utf-8').end(html);
  });
  router.get('/video-previews/:id', async (req, res) => {
    const { token } = req.query;
    const id = req.params.id;
    const file = typeof token === 'string' ? await app.files.open({ id, token }) : undefined;
    const isPreview = file && Object.values<string>(PREVIEW_TYPES).includes(file.media_type);
    const opened = isPreview ? await file.read() : undefined;
    if (!file || !opened) throw new Fault('not_found.file');
    const scripts = file.media_type === PREVIEW_TYPES.scripts;
    setSandbox(res, policyOf(previewAddresses(baseUrlOf(req, publicUrl)), scripts));
    res.set('Content-Type', 'text/html; charset=utf-8');
    await pipeline(opened.stream, res);
  });
  return router;
}

function late(): Fault {
  return new Fault('unavailable.preview', { seconds: PREVIEW_SECONDS });
}

/** Nothing of a page that others wrote reaches us or anybody else: it has no origin, and loads our modules and fonts only. */
function policyOf(
  { engineUrl, fontsUrl }: { readonly engineUrl: string; readonly fontsUrl: string },
  scripts: boolean,
): string[] {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${engineUrl}/${scripts ? " 'unsafe-inline'" : ''}`,
    "style-src 'unsafe-inline'",
    // An animated picture is read to be shown still.
    'connect-src data:',
    'img-src data: blob:',
    'media-src data: blob:',
    `font-src data: ${fontsUrl}/`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
}
