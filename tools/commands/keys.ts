import { parseArgs } from 'node:util';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { SCOPES, type Scope } from '../../src/identity/caller.ts';
import { createLog } from '../../src/platform/log.ts';
import { command, UsageError } from './command.ts';

const USAGE = `Makes and revokes API keys.

  npm run keys -- create NAME [--scopes templates:read,templates:render] [--days 90] [--new-account NAME | --account ID]
  npm run keys -- list
  npm run keys -- revoke ID

Without --scopes a key may do everything: ${SCOPES.join(', ')}.
Without --days it never expires. It belongs to the local owner's account, or to a new one (--new-account), or to the
one of that id (--account). list and revoke see the keys of all accounts.`;

const DAY_MS = 86_400_000;

await command(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      scopes: { type: 'string' },
      days: { type: 'string' },
      'new-account': { type: 'string' },
      account: { type: 'string' },
    },
  });
  const [verb, operand, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`There is one word too many: ${rest[0]}`);
  const scopes = readScopes(values.scopes);
  const expiresAt = readExpiry(values.days);
  switch (verb) {
    case 'create':
      if (!operand) throw new UsageError('Say the name of the key, such as ci.');
      return withApp((app) =>
        create(app, operand, {
          scopes,
          expiresAt,
          newAccount: values['new-account'],
          account: values.account,
        }),
      );
    case 'list':
      return withApp(list);
    case 'revoke':
      if (!operand) throw new UsageError('Say the id of the key; `npm run keys -- list` shows it.');
      return withApp((app) => revoke(app, operand));
    default:
      throw new UsageError(verb ? `There is no command ${verb}.` : 'Say what to do.');
  }
});

async function withApp(work: (app: App) => Promise<string>): Promise<string> {
  const config = readConfig();
  const app = await createApp({ config, log: createLog(config.logLevel) });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

type NewKey = {
  scopes: readonly Scope[];
  expiresAt: Date | null;
  newAccount: string | undefined;
  account: string | undefined;
};

async function create(app: App, name: string, { scopes, expiresAt, ...owner }: NewKey): Promise<string> {
  if (!name.isWellFormed() || name.includes('\0')) throw new UsageError('The name of a key is text.');
  const account = await accountOf(app, owner);
  const { id, key } = await app.keys.create(account, name, scopes, expiresAt);
  return `${key}\n\nThis is shown once: keep it safe. Its id is ${id}, its account ${account}.`;
}

async function accountOf(
  app: App,
  { newAccount, account }: Pick<NewKey, 'newAccount' | 'account'>,
): Promise<string> {
  if (newAccount !== undefined && account !== undefined)
    throw new UsageError('Give --new-account or --account.');
  if (newAccount !== undefined) return (await app.accounts.create(newAccount)).id;
  return (account === undefined ? await app.accounts.local() : await app.accounts.get(account)).id;
}

async function list(app: App): Promise<string> {
  const keys = await app.keys.listAll();
  if (keys.length === 0) return 'There are no keys yet.';
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
  const key = (await app.keys.listAll()).find((candidate) => candidate.id === id);
  if (!key) throw new Fault('not_found.key', { id });
  await app.keys.revoke(key.account_id, id);
  return `${id} works no more.`;
}

function readScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return SCOPES;
  return text.split(',').map((word) => {
    const scope = SCOPES.find((candidate) => candidate === word.trim());
    if (!scope) throw new UsageError(`There is no scope ${word}. There are: ${SCOPES.join(', ')}.`);
    return scope;
  });
}

function readExpiry(days: string | undefined): Date | null {
  if (days === undefined) return null;
  const count = Number(days);
  if (!Number.isInteger(count) || count < 1) throw new UsageError('--days takes a whole number from 1.');
  return new Date(Date.now() + count * DAY_MS);
}
