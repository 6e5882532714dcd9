import { expect, test } from 'vitest';
import * as membershipRepo from '../../src/identity/members/membership-repo.ts';
import { newId } from '../../src/platform/ids.ts';
import { startMailServer } from '../peers/mail-server.ts';
import { newBareCaller, useTools } from '../support/app.ts';
import { openModelApp } from '../support/model-app.ts';

test('an owner hears by email, in their language, that the AI budget of today is used up', async () => {
  const mails = await startMailServer();
  const { app, close } = await openModelApp({
    SMTP_URL: mails.url,
    MAIL_FROM: 'shop@example.com',
    AI_ACCOUNT_DAILY_BUDGET: '0.001',
  });
  const caller = await newBareCaller(app, 'Panadería Sol');
  const userId = newId('usr');
  await app.database.sql`
    insert into users (id, email, email_verified, auth_provider, language)
    values (${userId}, 'ana@example.com', true, 'code', 'es')`;
  await membershipRepo.insert(app.database.sql, caller.accountId, userId, 'owner');

  const refused = useTools(app, caller)('generate_hooks', {
    topic: 'bread',
    count: 3,
    provider: 'provider_a',
  });
  await expect(refused).rejects.toMatchObject({ key: 'ai_budget_exhausted.account' });
  await expect.poll(() => mails.mails.length).toBe(1);
  const [{ to, raw } = { to: [], raw: '' }] = mails.mails;
  expect(to).toEqual(['ana@example.com']);
  expect(raw).toContain('ha agotado el presupuesto de IA de hoy');
  const { items } = await app.audit.list(caller.accountId, { limit: 1 });
  expect(items).toMatchObject([{ action: 'ai_budget.exhausted', actor: 'server' }]);
  await close();
  await mails.close();
});
