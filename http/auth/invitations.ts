import { Router } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import { ROLES } from '../../src/identity/caller.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import type { Authenticate } from './authentication.ts';

type InvitationParts = { readonly app: Pick<App, 'invitations'>; readonly authenticate: Authenticate };

const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  invited_by: z.string(),
  expires_at: z.iso.datetime(),
  account: z.object({ id: z.string(), name: z.string() }),
});

const tag = 'auth';

/** What OpenAPI says of them. */
export const INVITATION_ROUTES: readonly DescribedRoute[] = [
  {
    route: 'GET /api/v1/invitations/{token}',
    id: 'get_invitation',
    title: 'Get an invitation',
    description:
      'Get the account and role of an invitation. The token in its link is the only credential needed.',
    tag,
    credential: 'none',
    answers: { 200: { about: 'The invitation', schema: Invitation } },
  },
  {
    route: 'POST /api/v1/invitations/{token}/accept',
    id: 'accept_invitation',
    title: 'Accept an invitation',
    description:
      'Join the account. Requires a person signed in with the invited, verified address. Takes the token from the email or the ID from list_accounts. Then send the account in the header Stallhand-Account.',
    tag,
    credential: 'needed',
    answers: { 200: { about: 'The person is a member', schema: Invitation } },
  },
  {
    route: 'POST /api/v1/invitations/{token}/decline',
    id: 'decline_invitation',
    title: 'Decline an invitation',
    description:
      'Decline an invitation with the token from the email, or, signed in, with the ID from list_accounts.',
    tag,
    credential: 'optional',
    answers: { 200: { about: 'Declined', schema: z.object({ declined: z.literal(true) }) } },
  },
];

/** Invitations as the people who got them see them: by the link of the email, or signed in. */
export function createInvitationRoutes({ app: { invitations }, authenticate }: InvitationParts): Router {
  const router = Router();
  const path = '/api/v1/invitations/:token';

  router.use(path, (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });

  router.get(path, async (req, res) => {
    res.json(await invitations.get(String(req.params['token'])));
  });

  router.post(`${path}/accept`, async (req, res) => {
    const caller = await authenticate(req, false, true);
    res.json(await invitations.accept(caller, String(req.params['token'])));
  });

  router.post(`${path}/decline`, async (req, res) => {
    const isSignedIn = req.headers.authorization !== undefined;
    const caller = isSignedIn ? await authenticate(req, false, true) : undefined;
    await invitations.decline(caller, String(req.params['token']));
    res.json({ declined: true });
  });

  return router;
}
