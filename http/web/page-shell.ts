import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Locale } from '../../src/language.ts';
import { readCookie } from '../cookies.ts';
import { localeOf } from '../request.ts';

const THEMES = ['dark', 'light', 'system'];
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** What a person sees pages in. Only values that we know: they go into the page. */
export type Preferences = {
  readonly locale: Locale;
  readonly theme: string;
  /** The language was asked for by this address. */
  readonly isChosen: boolean;
};

type Filled = {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  readonly seen: Preferences;
};

/** A page made on the server, around what each address has. */
export type PageShell = {
  readonly language: Locale;
  send(req: Request, res: Response, filled: Filled): void;
};

/** Language and theme of this address or of cookies, else the language that the browser asks for. */
export function readPreferences(req: Request, fallback: Locale): Preferences {
  const asked = localeIn(req.query['lang']);
  const locale = asked ?? localeIn(readCookie(req, 'language')) ?? localeOf(req, fallback);
  const theme = THEMES.find((each) => each === readCookie(req, 'theme')) ?? 'dark';
  return { locale, theme, isChosen: asked !== undefined };
}

function localeIn(value: unknown): Locale | undefined {
  return value === 'en' || value === 'es' ? value : undefined;
}

/** Files of ours, and the script in the page by its hash. Nothing that a post says can run, or send anything anywhere. */
export function createPageShell(page: string, language: Locale): PageShell {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`.trim(),
    "style-src 'self'",
    "img-src 'self' https:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    language,
    send(req, res, { status, head, body, seen: { locale, theme, isChosen } }) {
      const scheme = theme === 'light' ? 'light' : 'dark';
      const root = `<html lang="${locale}"${scheme === 'dark' ? ' class="dark"' : ''} data-mantine-color-scheme="${scheme}" data-theme="${theme}">`;
      // As functions: a `$` in a text is no pattern.
      const filled = page
        .replace(/<html[^>]*>/, () => root)
        .replace('<!--head-->', () => head)
        .replace('<!--body-->', () => body);
      if (isChosen) res.cookie('language', locale, { path: '/', maxAge: YEAR_MS, sameSite: 'lax' });
      res.status(status).set({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy,
        'Content-Language': locale,
        'Cache-Control': 'no-cache',
        Vary: 'Accept, Accept-Encoding, Accept-Language, Cookie',
      });
      // A third of its size. It holds no secret that its compressed length could tell of.
      const isGzip = req.acceptsEncodings(['gzip', 'identity']) === 'gzip';
      if (isGzip) res.set('Content-Encoding', 'gzip');
      res.end(req.method === 'HEAD' ? undefined : isGzip ? gzipSync(filled) : filled);
    },
  };
}
