import { z } from 'zod';
import { newId } from '../../platform/ids.ts';
import type { Hook } from '../hook.ts';
import type { HookContext, HookProblem, ScoreReason } from '../scoring/check-hook.ts';
import { evaluateHook } from '../scoring/scoring.ts';
import { STYLES, type StyleId } from '../styles.ts';
import { detectLanguage, type Language, languageOf } from '../text/language.ts';
import { createSimilarityIndex, type SimilarityIndex } from '../text/similarity.ts';

type Collection = {
  /** How many hooks may be delivered. */
  readonly wanted: number;
  readonly styles: readonly StyleId[];
  /** Without a language each hook is judged in the one it seems to be in, the one read first. */
  readonly context: Omit<HookContext, 'language' | 'earlier'> & {
    readonly language: string | undefined;
    readonly reads: Language;
  };
  /** The account's earlier hooks; nothing is added to it. */
  readonly earlier: Pick<SimilarityIndex, 'nearest'>;
  /** Told of each hook the moment it is accepted: it is delivered then, and stays so. */
  readonly onHook?: ((hook: Hook) => void) | undefined;
};

/** What was wrong with a hook, for its writer. */
export type Refused = {
  readonly text: string;
  /** The note is missing where only its writer can make the mistake. */
  readonly problems: readonly {
    readonly code: HookProblem | 'unknown_style';
    readonly reason?: ScoreReason;
  }[];
};

export type HookCollector = {
  /** Takes what somebody wrote as one hook. Nothing comes of what is no hook, was offered before, or is too many. */
  offer(raw: unknown): Hook | Refused | undefined;
  readonly refused: readonly Refused[];
  /** So many are still to come. */
  missing(): number;
  /** What is delivered: as many as are wanted, the best of them, in the order they came. */
  hooks(): Hook[];
};

/** Cleans, checks, compares and scores hooks as they come in, and keeps those that can be delivered. */
export function createHookCollector({ wanted, styles, context, earlier, onHook }: Collection): HookCollector {
  const accepted: Hook[] = [];
  const refused: Refused[] = [];
  const offered = new Set<string>();
  const index = layeredIndex(earlier);

  return {
    refused,
    missing: () => Math.max(0, wanted - accepted.length),
    hooks: () => bestHooks(accepted, wanted),

    offer(raw) {
      const { data } = Offer.safeParse(raw);
      const full = offered.size >= MAX_OFFERS || (onHook && accepted.length >= wanted);
      if (!data || offered.has(data.text) || full) return undefined;
      offered.add(data.text);
      const style = styleOf(data.style);
      const language = context.language ?? detectLanguage(data.text, context.reads);
      const judged = evaluateHook(data.text, { ...context, language, earlier: index });
      const isAllowed = style !== undefined && styles.includes(style);
      if (!isAllowed || judged.problems.length > 0) {
        const label = isAllowed ? [] : [{ code: 'unknown_style' } as const];
        const no = { text: judged.text.slice(0, 300), problems: [...judged.problems, ...label] };
        refused.push(no);
        return no;
      }
      const { text, chars, score, seconds, flags } = judged;
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

/** No answer holds more; what follows is not looked at. */
const MAX_OFFERS = 60;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const CONTROLS = /[\u0000-\u001F\u007F]+/g;

const line = (most: number) =>
  z
    .string()
    .catch('')
    .transform((text) => text.toWellFormed().replace(CONTROLS, ' ').trim().slice(0, most));

/** A hook as it may come from anywhere: only its text has to be there. */
const Offer = z.object({
  text: z.string().max(20_000),
  style: line(40),
  why: line(300),
  pattern: line(100),
});

/** The style a writer means: `How To` is how_to. */
function styleOf(named: string): StyleId | undefined {
  const id = named.toLowerCase().replace(/[\s-]+/g, '_');
  return Object.values(STYLES).find((card) => card.id === id)?.id;
}

function whyOf(style: StyleId, language: string): string {
  const { why } = STYLES[style];
  return why[languageOf(language) ?? 'en'];
}

/** Looks in the shared index too, and adds only to its own. */
function layeredIndex(shared: Pick<SimilarityIndex, 'nearest'>): SimilarityIndex {
  const own = createSimilarityIndex();
  return {
    add: own.add,
    nearest(text) {
      const [one, other] = [own.nearest(text), shared.nearest(text)];
      return (one?.similarity ?? 0) >= (other?.similarity ?? 0) ? one : other;
    },
  };
}

function bestHooks(hooks: readonly Hook[], count: number): Hook[] {
  if (hooks.length <= count) return [...hooks];
  const kept = new Set(hooks.toSorted((one, other) => other.score - one.score).slice(0, count));
  return hooks.filter((hook) => kept.has(hook));
}
