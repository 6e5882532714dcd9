import { z } from 'zod';

const MAX_EMAIL_LENGTH = 254;

/**
 * An email address in the one form it is kept and compared in: lower case. Only ASCII is taken, a domain of other
 * letters in its xn-- form, so that no two addresses look alike.
 */
export const EmailAddress = z
  .string()
  .trim()
  .max(MAX_EMAIL_LENGTH)
  .check(z.email())
  .transform((address) => address.toLowerCase());
