export type Window = { readonly after: number; readonly to: number };

/** Cuts numbers into windows, so that each statement stays well within its time. */
export function* windows(after: number, to: number, size: number): Generator<Window> {
  for (let start = after; start < to; start += size) yield { after: start, to: Math.min(start + size, to) };
}
