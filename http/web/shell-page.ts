import { hash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Locale } from '../../src/language.ts';
import { localeOf } from '../request.ts';
import { sendPage } from './encoding.ts';
import type { PageStart } from './page-start.ts';
import type { WebPage } from './pages.ts';

export type ShellPage = {
  /** Sends the page that starts the client, in the person's language and theme. */
  send(req: Request, res: Response, status: number, page: WebPage): void;
};

const THEMES = ['dark', 'light', 'system'];

/**
 * The page that starts the web client. What a cookie says of theme and language is in it before the first paint. Scripts are
 * our files and the one script that is in it; style sheets our files, and what carries the nonce of this answer.
 */
export function createShellPage(page: string, fallback: Locale, start: PageStart): ShellPage {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  );
  return {
    send(req, res, status, which) {
      // Hex: with a dot in it, a browser ignores a nonce without a word.
      const nonce = randomBytes(16).toString('hex');
      const cookies = readPreferences(req);
      const locale = cookies.language ?? localeOf(req, fallback);
      res.status(status).set({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policyOf(scripts, nonce),
        'Content-Language': locale,
        'Cache-Control': 'no-cache',
        Vary: 'Accept, Accept-Language, Cookie, Authorization',
      });
      const [data, links] = [start.data(which, req, locale), start.links(which, locale)];
      sendPage(req, res, fill(page, { nonce, locale, theme: cookies.theme, data, links }));
    },
  };
}

function policyOf(scripts: readonly string[], nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts.join(' ')}`.trim(),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

type Shown = {
  readonly nonce: string;
  readonly locale: Locale;
  readonly theme: string;
  readonly data: string;
  readonly links: string;
};

/** The opening tag as the client left it in web/index.html, with what this person sees. */
function fill(page: string, { nonce, locale, theme, data, links }: Shown): string {
  const scheme = theme === 'light' ? 'light' : 'dark';
  const root = `<html lang="${locale}"${scheme === 'dark' ? ' class="dark"' : ''} data-mantine-color-scheme="${scheme}" data-theme="${theme}">`;
  return (
    page
      .replace(/<html[^>]*>/, root)
      // As a function: a `$` in an address is no pattern.
      .replace('<!--data-->', () => data)
      .replace('</head>', () => `${links}\n</head>`)
      .replace(/(<meta property="csp-nonce" nonce=")[^"]*"/, `$1${nonce}"`)
  );
}

/** Only values that we know: they go into the page. */
function readPreferences(req: Request): { readonly theme: string; readonly language: Locale | undefined } {
  const pairs = (req.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  const cookie = (name: string) => pairs.find(([key]) => key === name)?.[1];
  const language = cookie('language');
  return {
    theme: THEMES.find((theme) => theme === cookie('theme')) ?? 'dark',
    language: language === 'en' || language === 'es' ? language : undefined,
  };
}
