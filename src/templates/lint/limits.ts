/** How much of a mail is examined. What lies beyond no client shows well, and it could keep the process busy. */
export const LINT_LIMITS = {
  /** Characters of html; Gmail shows half of it. */
  chars: 200_000,
  /** Levels of elements. */
  depth: 300,
  /** Elements, with those a browser repairs the page with. */
  elements: 30_000,
  /** Rules of embedded style sheets. */
  styleRules: 1000,
  findings: 200,
} as const;

/** Gmail cuts a mail off here, in bytes of html. */
export const CLIP_BYTES = 102_400;
