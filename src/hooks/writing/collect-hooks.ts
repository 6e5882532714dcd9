import { z } from 'zod';
import { newId } from '../../platform/ids.ts';
import type { Hook } from '../hook.ts';
import type { HookContext, HookProblem, ScoreReason } from '../scoring/check-hook.ts';
import { evaluateHook } from '../scoring/scoring.ts';
import { STYLES, type StyleId } from '../styles.ts';
import { detectLanguage, type Language, languageOf } from '../text/language.ts';
import { createSimilarityIndex, type SimilarityIndex } from '../text/similarity.ts';

type CollectorOptions = {
  /** How many hooks may be delivered. */
  readonly wanted: number;
  readonly styles: readonly StyleId[];
  /** Without a language, each hook's language is detected; `reads` is tried first. */
  readonly context: Omit<HookContext, 'language' | 'earlier'> & {
    readonly language: string | undefined;
    readonly reads: Language;
  };
  /** The account's recent hooks; never changed here. */
  readonly earlier: Pick<SimilarityIndex, 'nearest'>;
  /** Receives each accepted hook immediately, which makes it delivered. */
  readonly onHook?: ((hook: Hook) => void) | undefined;
};

/** A hook that cannot be delivered, with the reasons for its writer. */
export type RejectedHook = {
  readonly text: string;
  /** `unknown_style` has no reason: only a model can cause it. */
  readonly problems: readonly {
    readonly code: HookProblem | 'unknown_style';
    readonly reason?: ScoreReason;
  }[];
};

export type HookCollector = {
  /**
   * Checks one written hook. Ignores (undefined) anything that is no hook, a duplicate, or beyond the limit. With the words
   * of the built-in pattern it fills, an earlier hook of the same pattern is no repetition.
   */
  offer(raw: unknown, frame?: string): Hook | RejectedHook | undefined;
  readonly rejected: readonly RejectedHook[];
  missing(): number;
  /** The hooks to deliver: the `wanted` best, in the order of arrival. */
  hooks(): Hook[];
};

/** Cleans, checks and scores hooks as they arrive, and collects those that can be delivered. */
export function createHookCollector({
  wanted,
  styles,
  context,
  earlier,
  onHook,
}: CollectorOptions): HookCollector {
  const accepted: Hook[] = [];
  const rejected: RejectedHook[] = [];
  const offered = new Set<string>();
  const index = layeredIndex(earlier);

  return {
    rejected,
    missing: () => Math.max(0, wanted - accepted.length),
    hooks: () => bestHooks(accepted, wanted),

    offer(raw, frame) {
      const { data } = Offer.safeParse(raw);
      const full = offered.size >= MAX_OFFERS || (onHook && accepted.length >= wanted);
      if (!data || offered.has(data.text) || full) return undefined;
      offered.add(data.text);
      const style = styleOf(data.style);
      const language = context.language ?? detectLanguage(data.text, context.reads);
      const evaluated = evaluateHook(data.text, { ...context, language, earlier: index, frame });
      const isAllowed = style !== undefined && styles.includes(style);
      if (!isAllowed || evaluated.problems.length > 0) {
        const label = isAllowed ? [] : [{ code: 'unknown_style' } as const];
        const no = { text: evaluated.text.slice(0, 300), problems: [...evaluated.problems, ...label] };
        rejected.push(no);
        return no;
      }
      const { text, chars, score, seconds, flags } = evaluated;
      index.add(text);
      const pattern = data.pattern || style;
      const hook = {
        id: newId('hook'),
        text,
        style,
        score,
        why: data.why || whyOf(style, language),
        pattern,
        chars,
        seconds,
        flags: [...flags],
      };
      accepted.push(hook);
      onHook?.(hook);
      return hook;
    },
  };
}

/** More than any response contains; further hooks are ignored. */
const MAX_OFFERS = 60;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const CONTROLS = /[\u0000-\u001F\u007F]+/g;

const oneLine = (most: number) =>
  z
    .string()
    .catch('')
    .transform((text) => text.toWellFormed().replace(CONTROLS, ' ').trim().slice(0, most));

/** A hook from an untrusted writer; only its text is required. */
const Offer = z.object({
  text: z.string().max(20_000),
  style: oneLine(40),
  why: oneLine(300),
  pattern: oneLine(100),
});

/** The style a writer named: `How To` is how_to. */
function styleOf(named: string): StyleId | undefined {
  const id = named.toLowerCase().replace(/[\s-]+/g, '_');
  return Object.values(STYLES).find((card) => card.id === id)?.id;
}

function whyOf(style: StyleId, language: string): string {
  const { why } = STYLES[style];
  return why[languageOf(language) ?? 'en'];
}

/** Reads the shared index too, but adds only to its own. */
function layeredIndex(shared: Pick<SimilarityIndex, 'nearest'>): SimilarityIndex {
  const own = createSimilarityIndex();
  return {
    add: own.add,
    nearest(text, frame) {
      const [one, other] = [own.nearest(text, frame), shared.nearest(text, frame)];
      return (one?.similarity ?? 0) >= (other?.similarity ?? 0) ? one : other;
    },
  };
}

function bestHooks(hooks: readonly Hook[], count: number): Hook[] {
  if (hooks.length <= count) return [...hooks];
  const kept = new Set(hooks.toSorted((one, other) => other.score - one.score).slice(0, count));
  return hooks.filter((hook) => kept.has(hook));
}
