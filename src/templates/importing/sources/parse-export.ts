import type { z } from 'zod';
import { Fault } from '../../../errors.ts';

/** Reads a value as a service exports it. @throws Fault validation_failed naming the first field that differs. */
export function parseExport<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  service: string,
  where: string,
): z.output<Shape> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = [where, ...(issue?.path ?? []).map(String)].join('.');
  throw new Fault('validation_failed.import_payload', { service, where: place });
}
