import type { z } from 'zod';
import { Fault } from '../../../errors.ts';
import { brokenBound, hasNonText } from '../../../platform/json-size.ts';
import { Data, LIMITS } from '../../schema.ts';

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

const BOUNDS = { levels: 100, chars: Number.POSITIVE_INFINITY };

/** @throws Fault validation_failed with the parser's reason */
export function parseJson(text: string, where: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (brokenBound(value, BOUNDS)) throw new Fault('validation_failed.levels', { limit: BOUNDS.levels });
    if (hasNonText(value)) throw new Fault('validation_failed.not_text');
    return value;
  } catch (error) {
    if (error instanceof Fault) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('validation_failed.import_json', { where, reason });
  }
}

/** Sample data out of a text; undefined for what is no JSON object of a size a fixture may have. */
export function readSample(text: string): Data | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const fits = !brokenBound(value, LIMITS.data) && !hasNonText(value);
    return fits ? Data.safeParse(value).data : undefined;
  } catch {
    return undefined;
  }
}
