import type { Request } from 'express';

/** Undefined if it is missing, or there twice. */
export function readCookie(req: Request, name: string): string | undefined {
  const pairs = (req.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const [found, ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return others.length > 0 ? undefined : found?.slice(name.length + 1);
}
