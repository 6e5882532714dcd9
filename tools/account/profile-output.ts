import { z } from 'zod';
import { ROLES } from '../../src/identity/caller.ts';

export const ProfileAnswer = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  avatar: z.string().nullable(),
  plan: z.string().meta({ description: 'Hooks plan: free, pro or enterprise' }),
  plans: z.object({ hooks: z.string(), sync: z.string() }),
  payment_customer_id: z
    .string()
    .nullable()
    .meta({ description: 'Set while the account has a subscription' }),
  subscription: z.object({
    display_name: z.string(),
    status: z.string(),
    interval: z.string().nullable(),
    interval_count: z.int().nullable(),
    renewal_date: z.iso.datetime().nullable(),
    cancelAtPeriodEnd: z.boolean(),
  }),
  created_at: z.iso.datetime(),
  member_since: z.iso.datetime(),
  auth_provider: z.string(),
  language: z.string().nullable(),
  role: z.enum(ROLES).nullable().meta({ description: 'Role; null for an API key, which has scopes instead' }),
  account: z.object({ id: z.string(), name: z.string() }),
});
