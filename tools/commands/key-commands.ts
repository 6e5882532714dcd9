import { parseArgs } from 'node:util';
import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import { SCOPES, type Scope } from '../../src/identity/caller.ts';
import { UsageError } from './command.ts';
import type { OperatorCommand } from './road/operator-command.ts';

const USAGE = `Creates, lists and revokes API keys.

  npm run keys -- create NAME [--scopes templates:read,templates:render] [--days 90] [--new-account NAME | --account ID]
  npm run keys -- list
  npm run keys -- revoke ID

Without --scopes, a key gets all scopes: ${SCOPES.join(', ')}.
Without --days, it never expires. It belongs to the local owner's account, to a new account (--new-account), or to an
existing account by ID (--account). list and revoke cover the keys of all accounts.`;

const COMMANDS = 'create, list, revoke';
const DAY_MS = 86_400_000;
/** A hundred years. */
const MAX_DAYS = 36_500;

export const keyCommands: OperatorCommand = {
  usage: USAGE,
  async run(words, { app }) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        scopes: { type: 'string' },
        days: { type: 'string' },
        'new-account': { type: 'string' },
        account: { type: 'string' },
      },
    });
    const [verb, operand, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`Unexpected argument: ${rest[0]}`);
    const scopes = readScopes(values.scopes);
    const expiresAt = readExpiry(values.days);
    const owner = { newAccount: values['new-account'], account: values.account };
    switch (verb) {
      case 'create':
        if (!operand) throw new UsageError('Add a name for the key, such as ci.');
        return create(await app(), operand, { scopes, expiresAt, ...owner });
      case 'list':
        return list(await app());
      case 'revoke':
        if (!operand) throw new UsageError('Add the ID of the key; `npm run keys -- list` shows it.');
        return revoke(await app(), operand);
      default:
        throw new UsageError(
          verb ? `Unknown command '${verb}'. Valid commands: ${COMMANDS}.` : `Choose a command: ${COMMANDS}.`,
        );
    }
  },
};

type NewKey = {
  scopes: readonly Scope[];
  expiresAt: Date | null;
  newAccount: string | undefined;
  account: string | undefined;
};

async function create(app: App, name: string, { scopes, expiresAt, ...owner }: NewKey): Promise<string> {
  if (!name.isWellFormed() || name.includes('\0'))
    throw new UsageError('The key name contains characters that are not valid text.');
  const account = await accountOf(app, owner);
  const { id, key } = await app.operator.createKey({ accountId: account, name, scopes, expiresAt });
  return `${key}\n\nThis key is shown only once. Store it safely. Key ID: ${id}. Account: ${account}.`;
}

async function accountOf(
  app: App,
  { newAccount, account }: Pick<NewKey, 'newAccount' | 'account'>,
): Promise<string> {
  if (newAccount !== undefined && account !== undefined)
    throw new UsageError('Send only one of --new-account and --account.');
  if (newAccount !== undefined) return app.operator.createAccount(newAccount);
  return (account === undefined ? await app.accounts.local() : await app.accounts.get(account)).id;
}

async function list(app: App): Promise<string> {
  const keys = await app.keys.listAll();
  if (keys.length === 0) return 'No keys yet.';
  const rows = keys.map((key) => [
    key.id,
    key.mask,
    key.account_id,
    key.name,
    key.scopes.join(','),
    key.last_used_at?.toISOString() ?? 'never used',
  ]);
  return rows.map((row) => row.join('  ')).join('\n');
}

async function revoke(app: App, id: string): Promise<string> {
  if (!(await app.operator.revokeKey(id))) throw new Fault('not_found.key', { id });
  return `${id} is revoked.`;
}

export function readScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return SCOPES;
  return text.split(',').map((word) => {
    const scope = SCOPES.find((candidate) => candidate === word.trim());
    if (!scope) throw new UsageError(`Unknown scope '${word}'. Valid scopes: ${SCOPES.join(', ')}.`);
    return scope;
  });
}

export function readExpiry(days: string | undefined): Date | null {
  if (days === undefined) return null;
  const count = Number(days);
  if (!Number.isInteger(count) || count < 1 || count > MAX_DAYS)
    throw new UsageError(`--days must be a whole number from 1 to ${MAX_DAYS}.`);
  return new Date(Date.now() + count * DAY_MS);
}
