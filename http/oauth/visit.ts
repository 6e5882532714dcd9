import type { Request, Response } from 'express';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { z } from 'zod';
import { APP_SCOPES, type Scope } from '../../src/identity/caller.ts';
import type { OauthStore } from '../../src/identity/connected-apps/oauth-store.ts';
import { isSameSecret } from '../../src/platform/is-same-secret.ts';
import { resourcesAt } from './metadata.ts';
import type { AskingClient } from './sign-in-pages.ts';

/** How far a person is: kept with the request of the program, so any node can go on. */
const Progress = z.discriminatedUnion('step', [
  z.object({ step: z.literal('start'), email: z.string() }),
  z.object({ step: z.literal('code'), email: z.string() }),
  z.object({ step: z.literal('factor'), challenge: z.string() }),
  z.object({ step: z.literal('consent'), userId: z.string(), email: z.string() }),
]);
export type Progress = z.output<typeof Progress>;

/** A program's request in the browser of a person. */
export type Visit = Awaited<ReturnType<typeof openVisit>>;

/**
 * The request that a page belongs to: its number is in the address and in a cookie of this browser.
 * @throws SessionNotFound for another browser, or when it is over
 */
export async function openVisit(provider: Provider, req: Request, res: Response) {
  const interaction = await provider.interactionDetails(req, res);
  if (interaction.uid !== req.params['uid']) throw new errors.SessionNotFound('another request');
  const { client_id, redirect_uri, resource, scope } = interaction.params;
  const client = await provider.Client.find(String(client_id));
  if (!client) throw new errors.SessionNotFound('the client is gone');
  const saved = Progress.safeParse(interaction.lastSubmission?.['progress']);
  const asking: AskingClient = {
    name: (client.clientName || client.clientId).slice(0, 100),
    // What a program says of itself where it registers proves nothing; a document was read at this address.
    publishedAt: client.clientId.startsWith('https:') ? client.clientId : undefined,
    redirectUri: interaction.deviceCode === undefined ? String(redirect_uri) : undefined,
  };
  const asked = String(scope ?? '').split(' ');
  return {
    uid: interaction.uid,
    clientId: client.clientId,
    client: asking,
    /** Scopes of ours that the program asked for. */
    asked: APP_SCOPES.filter((one) => asked.includes(one)),
    progress: saved.data ?? ({ step: 'start', email: '' } satisfies Progress),

    async save(progress: Progress): Promise<void> {
      interaction.lastSubmission = { progress };
      await interaction.persist();
    },

    /** Makes a grant: scopes that are not given are refused. */
    async grant(userId: string, scopes: readonly Scope[]): Promise<string> {
      const grant = new provider.Grant({ accountId: userId, clientId: client.clientId });
      for (const one of [resource].flat().filter((value) => typeof value === 'string')) {
        if (!resourcesAt(provider.issuer).includes(one)) continue;
        grant.addResourceScope(one, [...scopes]);
        grant.rejectResourceScope(
          one,
          asked.filter((name) => !scopes.some((given) => given === name)),
        );
      }
      // Scopes are given for a resource, never for the person's identity.
      grant.rejectOIDCScope(asked);
      return grant.save();
    },

    /** Where the browser goes once the person has agreed. */
    agree: (userId: string, grantId: string) =>
      provider.interactionResult(
        req,
        res,
        { login: { accountId: userId, remember: false }, consent: { grantId } },
        { mergeWithLastSubmission: false },
      ),

    deny: () =>
      provider.interactionResult(
        req,
        res,
        { error: 'access_denied', error_description: 'The person did not agree.' },
        { mergeWithLastSubmission: false },
      ),
  };
}

/** What a form of this visit sends along; a page of another site cannot know it. */
export function csrfOf(store: OauthStore, uid: string): Promise<string> {
  return store.mac('oauth_form', uid);
}

export async function isOwnForm(store: OauthStore, uid: string, given: string): Promise<boolean> {
  return isSameSecret(await csrfOf(store, uid), given);
}
