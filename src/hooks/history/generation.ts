import type { Usage } from '../../ai/writer.ts';
import type { Hook } from '../hook.ts';

/** What the owner of a hook said of it; null is nothing yet. */
export type Feedback = {
  readonly copied: boolean | null;
  readonly used: boolean | null;
  /** It did better than what it was compared with, or worse. */
  readonly winner: boolean | null;
  /** A figure of the owner's own, such as views. */
  readonly metric: number | null;
  /** ISO 8601. */
  readonly rated_at: string | null;
};

/** One generation of the history: a topic and the hooks that were delivered for it. */
export type Generation = {
  readonly id: string;
  readonly topic: string;
  readonly platform: string | null;
  readonly language: string | null;
  /** `client` where the caller's own model wrote. */
  readonly provider: string;
  readonly model: string | null;
  readonly requested: number;
  readonly usage: Usage | null;
  /** ISO 8601. */
  readonly date: string;
  readonly hooks: readonly (Hook & Feedback)[];
};

/** Which generations are meant; without a field, all. */
export type HistoryFilter = {
  /** Part of the topic; case and accents do not count. */
  readonly q?: string | undefined;
  readonly platform?: string | undefined;
  /** The first and the last day, YYYY-MM-DD in UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
};
