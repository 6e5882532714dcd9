import type { App } from '../../src/app.ts';
import { newId } from '../../src/platform/ids.ts';

/** An app that a new member let into an account. Returns its ID. */
export async function newConnectedApp(
  { database: { sql }, connectedApps }: Pick<App, 'database' | 'connectedApps'>,
  accountId: string,
  name = 'Test assistant',
): Promise<string> {
  const userId = newId('usr');
  await sql`
    insert into users (id, email, email_verified, auth_provider)
    values (${userId}, ${`${userId}@example.com`}, true, 'code')`;
  await sql`insert into memberships (account_id, user_id, role) values (${accountId}, ${userId}, 'member')`;
  const scopes = ['templates:read'] as const;
  const connection = {
    grantId: newId('grant'),
    accountId,
    userId,
    actor: userId,
    clientId: name,
    name,
    scopes,
  };
  await connectedApps.connect(connection);
  const [row] = await sql`select id from connected_apps where grant_id = ${connection.grantId}`;
  return String(row?.['id']);
}
