import type { Request } from 'express';
import type { z } from 'zod';
import { type Locale, plainReader } from '../../src/language.ts';
import { parseInput } from '../../tools/contract/parse-input.ts';
import { localeOf } from '../request.ts';

/** What an address says after its question mark, for routes that are no tool's. @throws Fault validation_failed */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  req: Request,
  language: Locale,
): z.output<Schema> {
  const reader = plainReader(localeOf(req, language));
  return parseInput(schema, { ...req.query }, { ...reader, sourceOf: () => 'query' });
}
