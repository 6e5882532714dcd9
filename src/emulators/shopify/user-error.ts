/** A refusal within a mutation's answer, the rest of which stands. `field` is the path into the arguments. */
export type UserError = {
  readonly field: readonly string[] | null;
  readonly code: string | null;
  readonly message: string;
};

export function userError(field: readonly string[] | null, code: string | null, message: string): UserError {
  return { field, code, message };
}
