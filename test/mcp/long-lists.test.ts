import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';
import { HTTP_CLIENTS, outputOf, partsOf, textOf } from './support/clients.ts';

let app: ServedApp;
let key: string;

/** More versions than one answer has room for, since each says at length what it changed. */
const VERSIONS = 120;

beforeAll(async () => {
  app = await openServedApp();
  key = (await newBareKey(app)).key;
  const rest = useRest(app.url, key);
  await rest('POST', '/v1/templates', { body: { name: 'note', html: '<p>0</p>' } });
  for (let at = 1; at < VERSIONS; at += 1)
    await rest('PATCH', '/v1/templates/note', {
      body: { html: `<p>${at}</p>`, message: `Change ${at}. `.repeat(35) },
    });
});
afterAll(() => app.close());

type Page = { items: { version: string }[]; next_cursor: string | null };

describe.each(['', '?toolsets=templates', '?toolsets=templates&structured=true'])(
  'a list that is too long for one answer at /mcp%s',
  (query) => {
    test.each(HTTP_CLIENTS)(
      'ends at an item, and its cursor leads %s to the next one',
      async (_name, connect) => {
        const client = await connect(`${app.url}${query}`, key);
        await client.listTools();
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const input = { template: 'note', limit: 200, ...(cursor !== null && { cursor }) };
          const answer = await (query === ''
            ? client.callTool('run_tool', { name: 'list_versions', arguments: input })
            : client.callTool('list_versions', input));
          const page = (answer.structuredContent ?? outputOf(answer)) as Page;
          seen.push(...page.items.map(({ version }) => version));
          expect('structuredContent' in answer).toBe(query.includes('structured'));
          if (cursor === null)
            expect(answer.structuredContent ? textOf(answer) : partsOf(textOf(answer)).said).toContain(
              `[Only the first ${page.items.length} of ${VERSIONS} items fit here. For the next ones, send next_cursor as cursor.]`,
            );
          cursor = page.next_cursor;
        } while (cursor !== null);
        expect(seen).toEqual(Array.from({ length: VERSIONS }, (_, at) => `v1.0.${VERSIONS - 1 - at}`));
        await client.close();
      },
    );
  },
);
