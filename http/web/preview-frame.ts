import { hash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { setSandbox } from '../security-headers.ts';

/**
 * The loader takes an email from the page around it, and leaves out what would load or lead elsewhere. The frame's origin is
 * opaque, so it reads nothing of ours; its policy runs no script but this one.
 */
const LOADER = `
addEventListener('message', function (event) {
  if (event.source !== parent || typeof event.data.html !== 'string') return;
  var top = scrollY;
  var page = new DOMParser().parseFromString(event.data.html, 'text/html');
  page.querySelectorAll('script,link,base,iframe,frame,object,embed,meta[http-equiv]').forEach(function (part) { part.remove(); });
  document.documentElement.replaceWith(document.adoptNode(page.documentElement));
  scrollTo(0, top);
});
addEventListener('click', function (event) { event.preventDefault(); }, true);
addEventListener('submit', function (event) { event.preventDefault(); }, true);
parent.postMessage({ ready: true }, '*');
`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Preview</title></head><body><script>${LOADER}</script></body></html>`;

const LOADER_HASH = `'sha256-${hash('sha256', LOADER, 'base64')}'`;

/**
 * Where the client shows what others wrote. Pictures of other servers are only loaded with `?images=on`: their servers learn
 * that the email is read.
 */
export function createPreviewFrame(): Router {
  const router = Router();
  const send: RequestHandler = (req, res) => {
    const others = req.query['images'] === 'on' ? ' https:' : '';
    setSandbox(res, [
      'sandbox allow-scripts',
      "default-src 'none'",
      `script-src ${LOADER_HASH}`,
      "style-src 'unsafe-inline'",
      `img-src 'self' data:${others}`,
      `font-src data:${others}`,
      "form-action 'none'",
      "base-uri 'none'",
    ]);
    res.set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' });
    res.removeHeader('X-Frame-Options');
    res.end(PAGE);
  };
  router.get('/preview-frame', send);
  return router;
}
