import { z } from 'zod';

/** Who gave access by consent, and when, as the database has it. */
export const Consented = z.object({
  /** The Google account, or the domain of the store. */
  account: z.string(),
  /** The person here. */
  by: z.string(),
  at: z.coerce.date(),
  scopes: z.array(z.string()),
});

/** What an account sees of how long a connection's credentials work. */
export type Access = {
  /** Whether access is renewed without a person; null: saved before this was recorded. */
  readonly renewable: boolean | null;
  /** When it ends at the latest, ISO 8601; null: it has no known end. */
  readonly expires_at: string | null;
  /** Null for pasted credentials. */
  readonly consent: {
    readonly account: string;
    readonly by: string;
    readonly at: string;
    readonly scopes: readonly string[];
  } | null;
};

type AccessRow = {
  readonly renewable: boolean | null;
  readonly expires_at: Date | null;
  readonly consent: z.output<typeof Consented> | null;
};

export function presentAccess({ renewable, expires_at, consent }: AccessRow): Access {
  return {
    renewable,
    expires_at: expires_at?.toISOString() ?? null,
    consent: consent && { ...consent, at: consent.at.toISOString() },
  };
}
