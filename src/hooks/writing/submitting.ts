import type { Caller } from '../../identity/caller.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { RecentHooks } from '../history/recent-hooks.ts';
import type { Hook } from '../hook.ts';
import type { PlatformId } from '../platforms.ts';
import { STYLE_IDS, type StyleId } from '../styles.ts';
import { detectLanguage, type Language, languageOf } from '../text/language.ts';
import { createHookCollector, type RejectedHook } from './collect-hooks.ts';
import { persistGeneration } from './persist-generation.ts';
import { unmeteredUnits } from './reservation.ts';

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
  /** Null when no hook was accepted. */
  readonly id: string | null;
  readonly hooks: readonly Hook[];
  /** `index` is the position in the submission, from 0. */
  readonly refused: readonly (RejectedHook & { readonly index: number })[];
};

type SubmissionDeps = { readonly sql: Sql; readonly recentHooks: RecentHooks };

/** Accepts hooks that the caller's own model wrote. They are checked, scored and stored like any, and cost no units. */
export function createSubmissions({ sql, recentHooks }: SubmissionDeps) {
  async function submit(
    caller: Caller,
    { hooks, ...request }: Submission,
    reads: Language,
  ): Promise<Submitted> {
    const { topic, platform = 'generic', language } = request;
    const { index: earlier } = await recentHooks.load(caller.accountId);
    const collector = createHookCollector({
      wanted: hooks.length,
      styles: STYLE_IDS,
      context: { platform, language, reads, topic },
      earlier,
    });
    const refused: (RejectedHook & { index: number })[] = [];
    for (const [index, hook] of hooks.entries()) {
      const result = collector.offer(hook);
      if (result && 'problems' in result) refused.push({ index, ...result });
    }
    const accepted = collector.hooks();
    if (accepted.length === 0) return { id: null, hooks: [], refused };
    const known = language ?? languageOf(detectLanguage(topic, reads)) ?? null;
    const outcome = await persistGeneration(sql, caller, unmeteredUnits(accepted.length), {
      key: null,
      topic,
      platform,
      language: known,
      provider: 'client',
      model: null,
      usage: null,
      requested: hooks.length,
      hooks: accepted,
    });
    return { id: outcome.state === 'stored' ? outcome.id : null, hooks: accepted, refused };
  }

  return { submit };
}
