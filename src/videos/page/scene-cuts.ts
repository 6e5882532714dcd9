/** Frames `from` to `to`, `to` excluded. */
type Frames = { readonly from: number; readonly to: number };

/** A part of the time of a parent, from 0 to 1. */
export type Share = { readonly from: number; readonly to: number };

/** Divides the time of a parent among its scenes by their weights. */
export function sharesOf(weights: readonly number[]): Share[] {
  const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
  let before = 0;
  return weights.map((weight) => {
    const from = before;
    before += weight;
    return { from: from / sum, to: before / sum };
  });
}

/** The frames of a share. Scenes start and end on whole frames, so the first frame of one is exactly its first moment. */
export function cutFrames<Whole extends Frames>(whole: Whole, { from, to }: Share): Whole {
  const cut = (share: number) => Math.round(whole.from + (whole.to - whole.from) * share);
  return { ...whole, from: cut(from), to: cut(to) };
}
