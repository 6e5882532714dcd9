import type { Request, Response } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { scopesOf } from '../../src/identity/members/roles.ts';
import type { SignInAnswer } from '../../src/identity/sign-in/sign-in.ts';
import { EmailAddress } from '../../src/identity/users/email-address.ts';
import { deviceOf, rememberDevice } from '../auth/device-cookie.ts';
import { setRateLimitHeaders } from '../rate-limit.ts';
import { localeOf } from '../request.ts';

const one = (max: number) => z.string().max(max).default('');

/** What a person types to show who they are, in up to three steps. */
export const SignInForm = z.object({
  action: z.enum(['enter', 'code', 'factor', 'go']),
  email: one(320),
  password: one(1000),
  code: one(40),
  totp: one(40),
  challenge: one(200),
});
export type SignInForm = z.output<typeof SignInForm>;

/** How far a person is. What the next step needs goes along in its form: nothing is kept of one who has not signed in. */
export type Step =
  | { readonly step: 'start'; readonly email: string }
  | { readonly step: 'code'; readonly email: string }
  | { readonly step: 'factor'; readonly challenge: string }
  | { readonly step: 'in'; readonly userId: string; readonly actor: string };

type Deps = {
  readonly app: Pick<
    App,
    'signIn' | 'sessions' | 'credentials' | 'memberAccounts' | 'rateLimits' | 'anonymousCallers'
  >;
  readonly config: Pick<Config, 'defaultLanguage' | 'authMode'>;
};

/** Who may go on with a link: a person who signs in for it, or the local owner of an open server. */
export function createPeople({ app, config }: Deps) {
  return {
    /** One step of signing in. @throws Fault with what is wrong */
    async signIn(req: Request, res: Response, form: SignInForm, isSecure: boolean): Promise<Step> {
      await countAttempt(req, res);
      try {
        const answer = await answerOf(req, form);
        if (answer.state === 'code_sent') return { step: 'code', email: form.email };
        const { token, user, device } = answer;
        rememberDevice(res, device, isSecure);
        await endSession(token);
        return { step: 'in', userId: user.id, actor: user.email ?? user.name };
      } catch (error) {
        const challenge = error instanceof Fault ? error.data['challenge'] : undefined;
        const isAsked = error instanceof Fault && error.code === 'second_factor_required';
        if (isAsked && typeof challenge === 'string') return { step: 'factor', challenge };
        throw error;
      }
    },

    /** @throws Fault forbidden.consent_role */
    async requireRight(accountId: string, userId: string | null): Promise<void> {
      if (userId === null && config.authMode === 'open') return;
      const accounts = userId === null ? [] : await app.memberAccounts(userId);
      const role = accounts.find(({ id }) => id === accountId)?.role;
      if (role === undefined || !scopesOf(role).includes('connections:write'))
        throw new Fault('forbidden.consent_role');
    },
  };

  async function answerOf(req: Request, form: SignInForm): Promise<SignInAnswer> {
    const visit = {
      address: req.ip,
      userAgent: req.get('user-agent'),
      device: deviceOf(req),
      locale: localeOf(req, config.defaultLanguage),
    };
    if (form.action === 'factor') {
      const typed = form.totp.replace(/\s/g, '');
      // Six digits are a code of the app, anything else a recovery code.
      const proof = /^\d{6}$/.test(typed) ? { totp: typed } : { recovery_code: typed };
      return app.signIn.bySecondFactor(form.challenge, proof, visit);
    }
    const email = EmailAddress.safeParse(form.email);
    if (!email.success) throw new Fault('unauthenticated.sign_in');
    if (form.action === 'code')
      return app.signIn.byCode({ email: email.data, code: form.code.replace(/\s/g, '') }, visit);
    if (form.password !== '') return app.signIn.byPassword(email.data, form.password, visit);
    return app.signIn.sendCode(email.data, visit);
  }

  /** The sign-in was for this link alone. */
  async function endSession(token: string): Promise<void> {
    const { userId, sessionId } = await app.credentials.resolve(token, { whileDeleted: true });
    if (userId !== undefined && sessionId !== undefined) await app.sessions.end(userId, sessionId);
  }

  async function countAttempt({ ip }: Request, res: Response): Promise<void> {
    const { visitor = '' } = await app.anonymousCallers.callerAt(ip);
    await app.rateLimits.requireWithin('sign_in', visitor, (state) => setRateLimitHeaders(res, state));
  }
}
