import { z } from 'zod';
import { invalid } from './refusal.ts';

/** A part of a request as its schema reads it. @throws Refusal 400 */
export function parseBody<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value ?? (schema instanceof z.ZodObject ? {} : undefined));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`Invalid value at '${issue?.path.join('.')}': ${issue?.message}`);
}
