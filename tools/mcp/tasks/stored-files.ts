import { buffer } from 'node:stream/consumers';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { App } from '../../../src/app.ts';
import type { Caller } from '../../../src/identity/caller.ts';
import { Delivered } from '../../contract/delivered.ts';
import { createEnclosures } from '../enclosures.ts';
import { linkedFile } from '../resources/linked-file.ts';

/** More than any answer has. */
const MAX_FILES = 50;

/** The files that a stored output links to, as the answer of the call would have carried them. */
export async function storedFiles(
  output: unknown,
  app: Pick<App, 'files' | 'videos'>,
  caller: Caller,
): Promise<CallToolResult['content']> {
  const enclosures = createEnclosures();
  for (const delivered of deliveredIn(output).slice(0, MAX_FILES))
    await enclosures.enclose(delivered, async () => {
      const blob = await (await linkedFile(delivered.url, app, caller))?.read();
      return blob && buffer(blob.stream);
    });
  return enclosures.content();
}

/** Every file that an output describes, in order. */
function deliveredIn(value: unknown): Delivered[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Delivered.safeParse(value);
  return own.success ? [own.data] : Object.values(value).flatMap(deliveredIn);
}
