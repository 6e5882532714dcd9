import type { Play } from './world.ts';

/** Something an assistant is asked to do. */
export type Task = {
  readonly asked: string;
  /** The calls that do it. A call that must work is made with `read`. */
  readonly play: (play: Play) => Promise<void>;
  /** What a model must be able to read in one of the answers, whatever its client passes on. */
  readonly told: readonly (string | RegExp)[];
  /** Tokens that all answers together may cost, whichever part of them a client gives its model. */
  readonly tokens: number;
  /** Tokens that one answer may cost, where a person asks to read a long text: 24 kB of markup are 8,300. */
  readonly largest?: number;
  /** Pictures that a model must see. */
  readonly pictures?: number;
  /** How often a person is asked first: by a client that can, and by the model where it cannot. */
  readonly questions?: readonly [byClient: number, byModel: number];
  /** Answers that are errors on purpose. */
  readonly errors?: number;
};
