import type { Request, RequestHandler, Response } from 'express';
import { LOCALES, type Locale, type Reader } from '../src/language.ts';
import { newId } from '../src/platform/ids.ts';
import { type Voice, webVoice } from '../src/voice.ts';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** One request and where its answer goes. */
export type Exchange = {
  readonly req: Request;
  readonly res: Response;
  /** Address of the server as the caller reaches it. */
  readonly baseUrl: string;
};

/** Gives every request an id, the caller's own if it sent a usable one, and says it in the answer. */
export const identifyRequest: RequestHandler = (req, res, next) => {
  const sent = req.headers['x-request-id'];
  const id = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : newId('req');
  res.locals['requestId'] = id;
  res.setHeader('X-Request-Id', id);
  next();
};

export function requestIdOf(req: Request): string {
  // Set by identifyRequest, which runs before everything else.
  return req.res?.locals['requestId'] as string;
}

/** The language the caller reads best, of those we write. */
export function localeOf(req: Request, fallback: Locale): Locale {
  if (req.headers['accept-language'] === undefined) return fallback;
  const order = [fallback, ...LOCALES.filter((locale) => locale !== fallback)];
  const found = req.acceptsLanguages(order);
  return LOCALES.find((locale) => locale === found) ?? fallback;
}

/** Sets the words of this request's faults, where its caller is known not to make calls of REST. */
export function answerAs(voice: Voice, res: Response): void {
  res.locals['voice'] = voice;
}

/**
 * In which words a message is read: those set for this request; those for a person, where the web client says that one reads
 * it; otherwise calls of REST.
 */
export function readerOf(req: Request, { language, voice }: { language: Locale; voice: Voice }): Reader {
  // Set by answerAs, and by nothing else.
  const set = req.res?.locals['voice'] as Voice | undefined;
  return {
    locale: localeOf(req, language),
    voice: set ?? (req.get('Stallhand-Client') === 'web' ? webVoice : voice),
  };
}

/** Address of the server as the caller reaches it. The host guard has seen that the name is one of ours. */
export function baseUrlOf(req: Request, publicUrl: string | undefined): string {
  return publicUrl?.replace(/\/+$/, '') ?? `${req.protocol}://${req.get('host')}`;
}
