/** What a running request or bulk operation hands to every field. */
export type Call = {
  /** Such as `2026-10`. */
  readonly version: string;
  /** Of a bulk operation: which part of a connection it is at. */
  readonly range?: { readonly from: number; readonly size: number };
  /** A mutation is not done and answers this code. */
  readonly refusedAs?: string;
};
