import { Fault } from '../errors.ts';
import { type Author, type TemplateContext, write } from './context.ts';
import { presentFixture } from './present.ts';
import { deleteFixture, listFixtures, saveFixture } from './repository/fixture-repo.ts';
import { findTemplate, lockTemplate } from './resolve/find-version.ts';
import type { Data } from './schema.ts';

const MAX_FIXTURES = 100;

/** Named sample data of a template, rendered at save, merge and promotion. */
export function createFixtures(context: TemplateContext) {
  const { sql } = context;

  return {
    async save(author: Author, template: string, name: string, data: Data) {
      const { accountId } = author;
      return write(context, author, async (tx) => {
        const { id } = await lockTemplate(tx, accountId, template);
        const others = (await listFixtures(tx, accountId, id)).filter((fixture) => fixture.name !== name);
        if (others.length >= MAX_FIXTURES)
          throw new Fault('conflict.too_many_fixtures', { limit: MAX_FIXTURES });
        const result = presentFixture(await saveFixture(tx, accountId, id, name, data));
        return { result, event: { action: 'fixture.saved', target: template, to: name } };
      });
    },

    async list(accountId: string, template: string) {
      const { id } = await findTemplate(sql, accountId, template);
      return { items: (await listFixtures(sql, accountId, id)).map(presentFixture) };
    },

    async remove(author: Author, template: string, name: string): Promise<void> {
      const { accountId } = author;
      await write(context, author, async (tx) => {
        const { id } = await lockTemplate(tx, accountId, template);
        const deleted = await deleteFixture(tx, accountId, id, name);
        if (!deleted) throw new Fault('not_found.fixture', { template, fixture: name });
        return { result: undefined, event: { action: 'fixture.deleted', target: template, from: name } };
      });
    },
  };
}
