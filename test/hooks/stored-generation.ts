import { insertGeneration } from '../../src/hooks/history/generation-repo.ts';
import type { Hook } from '../../src/hooks/hook.ts';
import type { StyleId } from '../../src/hooks/styles.ts';
import { newId } from '../../src/platform/ids.ts';
import type { TestApp } from '../support/app.ts';

type Given = {
  readonly topic: string;
  readonly hooks?: readonly (readonly [string, StyleId])[];
  readonly platform?: string | null;
};

/** Stores a delivered generation for an account and returns its id. */
export async function storeGeneration(
  { database: { sql } }: Pick<TestApp, 'database'>,
  accountId: string,
  { topic, hooks = [['One hook.', 'curiosity']], platform = 'tiktok' }: Given,
): Promise<string> {
  const generation = {
    ...{ id: newId('gen'), actor: 'test', key: null, topic, platform, language: 'en' },
    ...{ provider: 'provider_a', model: 'm-1', requested: 5, usage: null },
  };
  const stored = { hooks: hooks.map(hookOf), reservationId: null };
  await insertGeneration(sql, accountId, generation, stored);
  return generation.id;
}

function hookOf([text, style]: readonly [string, StyleId]): Hook {
  return {
    ...{ id: newId('hook'), text, style, score: 70, why: 'A gap.', pattern: 'not this, but that' },
    ...{ chars: text.length, seconds: 1.5, flags: ['all_caps'] },
  };
}
