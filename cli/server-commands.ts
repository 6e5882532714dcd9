import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { DOES } from '../tools/commands/doctor/usage.ts';
import { endLogin, findDeviceSignIn, freshLogin, signInByDevice } from './device-login.ts';
import { withoutSlash } from './find-server.ts';
import { requireKnown } from './flags.ts';
import { type Login, signIn } from './login.ts';
import { printed } from './print.ts';
import type { Program } from './program.ts';
import { send } from './server.ts';
import { UsageError } from './usage-error.ts';

/** The commands that start servers and sign in to them. */
export type ServerCommand = {
  readonly usage: string;
  /** Settings of the server may also be in a file `.env` in this folder, as for the npm scripts. */
  readonly readsEnvFile?: true;
  /** It has commands of its own, and answers --help itself. */
  readonly helpsItself?: true;
  /** The calls of its own commands, where `usage` does not list them. */
  readonly verbsUsage?: () => Promise<string>;
  /** @returns the exit code, if it is not 0 */
  run(words: readonly string[], program: Program): Promise<number | undefined>;
};

export const serverCommands: Readonly<Record<string, ServerCommand>> = {
  serve: {
    usage:
      'Start the server, until Ctrl-C. Settings come from the environment and a file .env: see docs/settings.md.\n\nstallhand serve\n',
    readsEnvFile: true,
    async run(words) {
      read(words, {}, 0);
      const { serve } = await import('../http/serve.ts');
      await serve();
    },
  },
  mcp: {
    usage:
      'Serve MCP over standard input and output, for an assistant on this machine.\n\nstallhand mcp              with the data on this machine\nstallhand mcp --url URL    with a server elsewhere; --token, STALLHAND_API_KEY or a login is the credential,\n                           and --account ID the account to work in\n',
    async run(words, { config, logins }) {
      const { values } = read(
        words,
        { url: { type: 'string' }, token: { type: 'string' }, account: { type: 'string' } },
        0,
      );
      const { url = config.url, token = config.apiKey, account } = values;
      if (url === undefined) return void (await import('../tools/stdio.ts'));
      const { bridgeMcp } = await import('./mcp-bridge.ts');
      // Asked for at each message: a login may get another token while the bridge is open.
      const own = async () => {
        const login = await freshLogin(logins);
        return login?.url === withoutSlash(url) ? login.token : undefined;
      };
      await bridgeMcp({ url, token: async () => token ?? (await own()), account });
    },
  },
  doctor: {
    usage: `${DOES}\n\nstallhand doctor [--json]\n`,
    readsEnvFile: true,
    async run(words, { terminal }) {
      const { values } = read(words, { json: { type: 'boolean' } }, 0);
      const { examine, isHealthy, report } = await import('../tools/commands/doctor/doctor.ts');
      const findings = await examine();
      terminal.out(report(findings, { json: values.json ?? false }));
      return isHealthy(findings) ? undefined : 1;
    },
  },
  admin: {
    usage:
      'Manage the accounts, keys and work of the server whose data is on this machine.\n\nstallhand admin --help    lists the commands\n',
    readsEnvFile: true,
    helpsItself: true,
    async verbsUsage() {
      const { loadCommand } = await import('../tools/commands/road/operator-commands.ts');
      return (await loadCommand('admin')).usage;
    },
    async run(words, { terminal }) {
      const { runCommand } = await import('../tools/commands/road/road.ts');
      const asksHelp = words.length === 0 || words.includes('--help') || words.includes('-h');
      const { done, said } = await runCommand('admin', asksHelp ? [...words, '--help'] : words, readConfig());
      if (!done) {
        terminal.err(`${said}\n`);
        return 1;
      }
      if (asksHelp || words.includes('--json')) terminal.out(said);
      else terminal.out(printed(JSON.parse(said), terminal.columns));
    },
  },
  backup: {
    usage:
      'Save all data of the server on this machine to one file, check such a file, or restore it.\n\nstallhand backup save FILE       while the server runs\nstallhand backup verify FILE\nstallhand backup restore FILE    where there is no database yet\n',
    readsEnvFile: true,
    helpsItself: true,
    async run(words, { terminal }) {
      const { runBackup } = await import('../tools/commands/backup-command.ts');
      const { done, said } = await runBackup(words, 'stallhand backup');
      if (done) return void terminal.out(said);
      terminal.err(`${said}\n`);
      return 1;
    },
  },
  login: {
    usage:
      'Sign in to a server, which later commands then use. Shows an address and a code for your browser, where you choose what commands may do.\n\nstallhand login [URL]                 the same as --url URL\nstallhand login [URL] --token KEY     with an API key; --token - reads it from standard input\nstallhand login [URL] --email         asks in the terminal for an API key, or for an email address and a code\n',
    async run(words, { config, logins, terminal }) {
      const options = {
        token: { type: 'string' },
        url: { type: 'string' },
        email: { type: 'boolean' },
      } as const;
      const { values, positionals } = read(words, options, 1);
      const url = withoutSlash(positionals[0] ?? values.url ?? config.url ?? localUrl());
      if (!URL.canParse(url) || !/^https?:/.test(url))
        throw new UsageError(`'${url}' is not the address of a server.`);
      const byDevice = values.token === undefined && !values.email && (await findDeviceSignIn(url));
      if (byDevice === undefined) await requireSignIn(url);
      if (byDevice) await logins.write(await signInByDevice(url, byDevice, terminal));
      else
        await logins.write({
          url,
          token: await signIn({ url, close: async () => {} }, values.token, terminal),
        });
      terminal.out(`Signed in to ${url}.`);
    },
  },
  logout: {
    usage:
      'Sign out: end the connection at the server, and delete the server and its credential from this machine. An API key continues to work.\n\nstallhand logout\n',
    async run(words, { logins, terminal }) {
      read(words, {}, 0);
      // A command that is getting the next token ends first: that token is the one to give up.
      const { login, had } = await logins.alone(async () => ({
        login: await logins.read().catch(() => undefined),
        had: await logins.forget(),
      }));
      terminal.out(had ? await signedOut(login) : 'You were not signed in.');
    },
  },
};

/** Ends a login at its server, and says what has ended. */
async function signedOut(login: Login | undefined): Promise<string> {
  if (!login) return 'Signed out.';
  const { url, token, refresh } = login;
  if (token.startsWith('sh_live_'))
    return "Signed out. The API key continues to work: to end it, use 'stallhand api-keys revoke'.";
  const end = await endLogin(login);
  if (end === 'ended')
    return refresh ? `Signed out. This machine is no longer connected to ${url}.` : `Signed out of ${url}.`;
  const failed = end === 'refused' ? 'refused' : 'could not be reached';
  return refresh
    ? `Signed out on this machine, but ${url} ${failed} to end the connection. To end it later, sign in with 'stallhand login --email', find its ID with 'stallhand connected-apps list', and use 'stallhand connected-apps revoke ID'. Unused, it ends after 30 days.`
    : `Signed out on this machine, but ${url} ${failed} to end the session. You can end it on the profile page there.`;
}

/** @throws UsageError where an open server needs no credential; Unreachable */
async function requireSignIn(url: string): Promise<void> {
  const answer = await send({ url, close: async () => {} }, { method: 'GET', path: '/v1/templates?limit=1' });
  if (answer.ok)
    throw new UsageError(`${url} needs no sign-in. Use it with --server ${url}, or set STALLHAND_URL.`);
}

function localUrl(): string {
  const { host, port } = readConfig();
  return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
}

function read<const Options extends Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>>(
  words: readonly string[],
  options: Options,
  most: number,
) {
  requireKnown(words, Object.keys(options));
  try {
    const parsed = parseArgs({ args: [...words], options, allowPositionals: most > 0 });
    const extra = parsed.positionals[most];
    if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
    return parsed;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
