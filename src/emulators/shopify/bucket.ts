export type Bucket = ReturnType<typeof createBucket>;

/** Points that may be spent: they come back by the second, up to `size`. */
export function createBucket(
  { size, rate }: { readonly size: number; readonly rate: number },
  now: () => number,
) {
  let available = size;
  let at = now();

  function refill(): void {
    const time = now();
    available = Math.min(size, available + ((time - at) / 1000) * rate);
    at = time;
  }

  return {
    /** False where there are not so many; then none are taken. */
    take(points: number): boolean {
      refill();
      if (available < points) return false;
      available -= points;
      return true;
    },
    giveBack(points: number): void {
      available = Math.min(size, available + points);
    },
    status() {
      refill();
      return { maximumAvailable: size, currentlyAvailable: Math.floor(available), restoreRate: rate };
    },
  };
}
