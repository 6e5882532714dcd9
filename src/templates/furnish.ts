import { Fault } from '../errors.ts';
import type { createCatalogue } from './catalogue.ts';

/** Puts the starter templates into an account; those it has already stay as they are. */
export async function furnishTemplates(
  catalogue: ReturnType<typeof createCatalogue>,
  accountId: string,
): Promise<void> {
  const { readStarters } = await import('./starters/starters.ts');
  for (const { document, ...starter } of await readStarters()) {
    await catalogue
      .create({ accountId, actor: 'stallhand' }, { ...starter, ...document, message: 'Starter template' })
      .catch((error: unknown) => {
        if (!(error instanceof Fault && error.code === 'name_taken')) throw error;
      });
  }
}
