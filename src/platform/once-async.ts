/** @returns a function that makes something once, at its first call, and gives it to every other; a failure is not kept */
export function keepPromise<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let kept: Promise<Made> | undefined;
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
