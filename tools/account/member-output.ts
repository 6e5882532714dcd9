import { z } from 'zod';
import { ROLES } from '../../src/identity/caller.ts';

export const MemberAnswer = z.object({
  id: z.string(),
  status: z.enum(['active', 'invited']),
  email: z.string().nullable(),
  name: z.string(),
  avatar: z.string().nullable(),
  role: z.enum(ROLES),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().optional().meta({ description: 'Expiry of an invitation' }),
});

export const InvitedAnswer = MemberAnswer.extend({
  mail_sent: z.boolean().meta({ description: 'Whether an email with the link is on its way' }),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});

export const MemberId = z.string().min(1).max(60).meta({ description: 'ID of a member or invitation' });
