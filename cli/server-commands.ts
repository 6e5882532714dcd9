import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { DOES } from '../tools/commands/doctor/usage.ts';
import { findDeviceSignIn, freshLogin, signInByDevice } from './device-login.ts';
import { withoutSlash } from './find-server.ts';
import { requireKnown } from './flags.ts';
import { signIn } from './login.ts';
import { printed } from './print.ts';
import type { Program } from './program.ts';
import { UsageError } from './usage-error.ts';

/** The commands that start servers and sign in to them. */
export type ServerCommand = {
  readonly usage: string;
  /** It has commands of its own, and answers --help itself. */
  readonly helpsItself?: true;
  /** @returns the exit code, if it is not 0 */
  run(words: readonly string[], program: Program): Promise<number | undefined>;
};

export const serverCommands: Readonly<Record<string, ServerCommand>> = {
  serve: {
    usage:
      'Start the server, until Ctrl-C. Settings come from the environment: see docs/settings.md.\n\nstallhand serve\n',
    async run(words) {
      read(words, {}, 0);
      const { serve } = await import('../http/serve.ts');
      await serve();
    },
  },
  mcp: {
    usage:
      'Serve MCP over standard input and output, for an assistant on this machine.\n\nstallhand mcp              with the data on this machine\nstallhand mcp --url URL    with a server elsewhere; --token, STALLHAND_API_KEY or a login is the credential\n',
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
      'Look after the accounts, keys and work of the server whose data are on this machine.\n\nstallhand admin --help    lists the commands\n',
    helpsItself: true,
    async run(words, { terminal }) {
      const { runCommand } = await import('../tools/commands/road/run-command.ts');
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
  login: {
    usage:
      'Sign in to a server; commands go there from now on. Shows an address and a code for your browser, where you choose what commands may do.\n\nstallhand login [URL]                 the same as --url URL\nstallhand login [URL] --token KEY     with an API key; --token - reads it from standard input\nstallhand login [URL] --email         asks here for an API key, or an email address and its code\n',
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
    usage: 'Forget the server and its credential on this machine.\n\nstallhand logout\n',
    async run(words, { logins, terminal }) {
      read(words, {}, 0);
      terminal.out((await logins.forget()) ? 'Signed out.' : 'You were not signed in.');
    },
  },
};

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
