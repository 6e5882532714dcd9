/** What one template may cost. Sizes in UTF-8 bytes unless a name says otherwise. */
export const COMPILE_LIMITS = {
  sourceBytes: 256 * 1024,
  mustaches: 5_000,
  /** Of HTML made from another language, which repeats what was written. */
  generated: { sourceBytes: 1024 * 1024, mustaches: 20_000 },
  blockLevels: 64,
  /** Blocks and `else if` links together; it bounds every recursion over the tree. */
  treeLevels: 256,
  expressionLevels: 16,
  pathSegments: 32,
  callArguments: 64,
  schemaBytes: 64 * 1024,
  schemaLevels: 8,
  schemaProperties: 500,
  /** Statements an analysis may visit, counted again for every scope an inline partial is used in. */
  analysisSteps: 100_000,
  variables: 2_000,
  ms: 2_000,
  memoryMb: 256,
} as const;

export type RenderLimits = {
  /** Blocks, loop passes, partials and layouts entered. */
  readonly steps: number;
  readonly bytes: number;
  readonly ms: number;
  readonly partialLevels: number;
};

export const RENDER_LIMITS: RenderLimits = { steps: 200_000, bytes: 5_000_000, ms: 250, partialLevels: 16 };
