import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Locale } from '../../src/language.ts';
import { readCookie } from '../cookies.ts';
import { localeOf } from '../request.ts';
import { sendPage } from './encoding.ts';

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

/**
 * Files of ours, and the script and the styles in the page by their hashes. Nothing that a post says can run, or send anything
 * anywhere.
 */
export function createPageShell(page: string, language: Locale): PageShell {
  const policy = [
    "default-src 'none'",
    ['script-src', "'self'", ...hashesOf(page, 'script')].join(' '),
    ['style-src', "'self'", ...hashesOf(page, 'style')].join(' '),
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
        Vary: 'Accept, Accept-Language, Cookie',
      });
      sendPage(req, res, filled);
    },
  };
}

/** Of what is between these tags. */
function hashesOf(page: string, tag: 'script' | 'style'): string[] {
  const parts = page.matchAll(new RegExp(`<${tag}(?: type="module")?>([\\s\\S]*?)</${tag}>`, 'g'));
  return [...parts].map(([, part = '']) => `'sha256-${hash('sha256', part, 'base64')}'`);
}

const FILES = [
  [/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (sheet: string) => `<style>${sheet}</style>`],
  [
    /<script type="module"[^>]*src="\/([^"]+)"[^>]*><\/script>/g,
    (script: string) => `<script type="module">${script}</script>`,
  ],
] as const;

/** Puts the style sheets and the script into the page: it is painted without a second answer, and waits for none. */
export async function withFilesIn(
  page: string,
  read: (name: string) => Promise<string | undefined>,
): Promise<string> {
  let filled = page;
  for (const [pattern, inPage] of FILES)
    for (const [named, name = ''] of page.matchAll(pattern)) {
      const file = await read(name);
      if (file !== undefined) filled = filled.replace(named, () => inPage(file.trim()));
    }
  return filled;
}
