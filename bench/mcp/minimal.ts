import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import Handlebars from 'handlebars';
import { z } from 'zod';

// Shared by the two minimal servers of `bench:mcp`: 50 tools. One of them fills a compiled template.

const OTHERS = 49;

const Content = z.object({ template: z.string(), source: z.string() });

export const RenderInput = z.object({
  template: z.string().describe('The name of the template.'),
  data: z.record(z.string(), z.unknown()).describe('The values of its variables.'),
});

/** As much input as a usual tool has. */
export const OtherInput = z.object({
  name: z.string().min(1).max(200).describe('The name, with at most 200 characters.'),
  limit: z.number().int().min(1).max(100).optional().describe('How many to return at most.'),
  status: z.enum(['active', 'archived', 'draft']).optional().describe('Only those with this status.'),
  tags: z.array(z.string()).max(20).optional().describe('Only those with all of these tags.'),
});

export const otherNames: readonly string[] = Array.from({ length: OTHERS }, (_, n) => `list_things_${n + 1}`);

/** Fills the template of the file that the bench names as the first argument. */
export function readFill(): (data: unknown) => string {
  const { source } = Content.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
  return Handlebars.compile(source);
}

export function listen(app: Express): void {
  const http = app.listen(0, '127.0.0.1', () => {
    const address = http.address();
    if (address && typeof address === 'object') console.log(`listening http://127.0.0.1:${address.port}`);
  });
}
