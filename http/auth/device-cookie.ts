import type { Request, Response } from 'express';

const NAME = 'stallhand_device';
const COOKIE = /(?:^|;\s*)stallhand_device=(dev_[\w-]{43})(?:;|$)/;
const MAX_AGE_MS = 180 * 86_400_000;

/** The device that a browser was given at an earlier sign-in. It gives no access: a sign-in still needs its proof. */
export function deviceOf(req: Request): string | undefined {
  return COOKIE.exec(req.get('cookie') ?? '')?.[1];
}

/** No script reads the cookie, and no other site can send it. */
export function rememberDevice(res: Response, device: string, secure: boolean): void {
  res.cookie(NAME, device, { httpOnly: true, sameSite: 'strict', secure, path: '/', maxAge: MAX_AGE_MS });
}
