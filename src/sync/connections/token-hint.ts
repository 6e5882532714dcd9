/** Shorter ones would be given away by their end. */
const LEAST = 12;

/** The end of a secret, by which its owner knows which it is; nothing of a short one. */
export function tokenHint(secret: string): string {
  return secret.length < LEAST ? '' : secret.slice(-4);
}
