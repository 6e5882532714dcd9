import { z } from 'zod';

/** What a mutation refused, and where in its input. */
export const UserErrors = z.array(
  z.object({
    field: z.array(z.string()).nullish(),
    message: z.string(),
    code: z.string().nullish(),
  }),
);

export type UserError = z.output<typeof UserErrors>[number];

/** The place in a list of the input that an error is about: 3 of `['variants', '3', 'price']`. */
export function indexAfter(list: string, field: UserError['field']): number | undefined {
  const index = field?.[field.indexOf(list) + 1];
  return field?.includes(list) && index !== undefined && /^\d+$/.test(index) ? Number(index) : undefined;
}
