import type { Caller } from '../identity/caller.ts';
import type { Sql } from '../platform/database/database.ts';
import { createHookCollector, type Refused } from './collect-hooks.ts';
import { detectLanguage } from './detect-language.ts';
import { freeUnits } from './holding.ts';
import type { Hook } from './hook.ts';
import { createKeeping } from './keeping.ts';
import { type Language, languageOf } from './languages.ts';
import type { Memory } from './memory.ts';
import type { PlatformId } from './platforms.ts';
import { STYLE_IDS, type StyleId } from './styles.ts';

export type Submission = {
  readonly topic: string;
  readonly hooks: readonly {
    readonly text: string;
    readonly style: StyleId;
    readonly why?: string | undefined;
  }[];
  readonly platform?: PlatformId | undefined;
  readonly language?: string | undefined;
};

export type Submitted = {
  /** Null when no hook could be kept. */
  readonly id: string | null;
  readonly hooks: readonly Hook[];
  /** `index` is the place among those submitted, from 0. */
  readonly refused: readonly (Refused & { readonly index: number })[];
};

/** Takes in hooks that the caller's own model wrote: they are checked, scored and kept like any, and cost no units. */
export function createSubmitting({ sql, memory }: { readonly sql: Sql; readonly memory: Memory }) {
  const keep = createKeeping(sql);

  async function submit(
    caller: Caller,
    { hooks, ...request }: Submission,
    reads: Language,
  ): Promise<Submitted> {
    const { topic, platform = 'generic', language } = request;
    const { index: earlier } = await memory.of(caller.accountId);
    const collector = createHookCollector({
      wanted: hooks.length,
      styles: STYLE_IDS,
      context: { platform, language, reads, topic },
      earlier,
    });
    const refused: (Refused & { index: number })[] = [];
    for (const [index, hook] of hooks.entries()) {
      const taken = collector.offer(hook);
      if (taken && 'problems' in taken) refused.push({ index, ...taken });
    }
    const accepted = collector.hooks();
    if (accepted.length === 0) return { id: null, hooks: [], refused };
    const known = language ?? languageOf(detectLanguage(topic, reads)) ?? null;
    const kept = await keep(caller, freeUnits(accepted.length), {
      ...{ key: null, topic, platform, language: known, provider: 'client', model: null, usage: null },
      requested: hooks.length,
      hooks: accepted,
    });
    return { id: kept.state === 'kept' ? kept.id : null, hooks: accepted, refused };
  }

  return { submit };
}
