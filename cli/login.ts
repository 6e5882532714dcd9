import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Refused, refusalOf } from './failure.ts';
import { type Server, send } from './server.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const Login = z.object({
  url: z.url({ protocol: /^https?$/ }),
  token: z.string(),
  /** Of a token that expires: how to get the next one, and when, in milliseconds since 1970. */
  refresh: z.object({ token: z.string(), at: z.number() }).optional(),
});
export type Login = z.output<typeof Login>;

/** The server that a person has signed in to, kept in a file that only they can read. */
export type Logins = {
  read(): Promise<Login | undefined>;
  write(login: Login): Promise<void>;
  /** Runs alone among the commands of this person, for at most half a minute. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** False where there was none. */
  forget(): Promise<boolean>;
};

export function createLogins(folder: string): Logins {
  const file = join(folder, 'login.json');
  const read = async () => {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const parsed = Login.safeParse(JSON.parse(text));
    if (!parsed.success)
      throw new UsageError(`${file} cannot be read. Delete it, then sign in again with 'stallhand login'.`);
    return parsed.data;
  };
  return {
    read,
    async write(login) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, `${JSON.stringify(login)}\n`, { mode: 0o600 });
      // The mode is only used for a file that is new.
      await chmod(file, 0o600);
    },
    async alone(work) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const lock = `${file}.lock`;
      while (!(await take(lock))) await delay(LOCK_POLL_MS);
      try {
        return await work();
      } finally {
        await rm(lock, { force: true });
      }
    },
    async forget() {
      const had = (await read().catch(() => ({}))) !== undefined;
      await rm(file, { force: true });
      return had;
    },
  };
}

const LOCK_MS = 30_000;
const LOCK_POLL_MS = 50;

/** False while another command has it; one that a dead command left is taken over. */
async function take(lock: string): Promise<boolean> {
  const taken = await writeFile(lock, '', { flag: 'wx', mode: 0o600 }).then(
    () => true,
    () => false,
  );
  if (taken) return true;
  const age = await stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > LOCK_MS) await rm(lock, { force: true });
  return false;
}

type Ask = Pick<Terminal, 'ask' | 'canAsk' | 'readStdin'>;

/**
 * The credential of a person for a server: the token given (`-` reads it from standard input), or what signing in with
 * an email address and a code returns.
 * @throws Refused, UsageError where no person can be asked
 */
export async function signIn(server: Server, given: string | undefined, terminal: Ask): Promise<string> {
  if (given === '-') return checked(server, (await terminal.readStdin()).trim());
  if (given !== undefined) return checked(server, given);
  if (!terminal.canAsk)
    throw new UsageError(
      "This terminal can't ask for your credentials. Pipe an API key: stallhand login URL --token -",
    );
  const said = (await terminal.ask('API key, or your email address: ', { hidden: false })).trim();
  return said.includes('@') ? signInByMail(server, said, terminal) : checked(server, said);
}

async function checked(server: Server, token: string): Promise<string> {
  const answer = await send({ ...server, token }, { method: 'GET', path: '/v1/templates?limit=1' });
  // A key that may not read templates is still one of ours.
  if (!answer.ok && answer.status !== 403) throw await refusalOf(answer);
  return token;
}

const SignedIn = z.object({ token: z.string() });

async function signInByMail(server: Server, email: string, { ask }: Ask): Promise<string> {
  await login(server, { email });
  const code = (await ask(`Code from the email to ${email}: `)).trim();
  const answer = await login(server, { email, code }).catch(async (error: unknown) => {
    const challenge =
      error instanceof Refused && error.problem.code === 'second_factor_required'
        ? error.problem['challenge']
        : undefined;
    if (challenge === undefined) throw error;
    const totp = (await ask('Code of your authenticator app: ')).trim();
    return login(server, { challenge, totp });
  });
  return SignedIn.parse(answer).token;
}

async function login(server: Server, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  const answer = await send(server, { method: 'POST', path: '/auth/login', body });
  if (!answer.ok) throw await refusalOf(answer);
  return answer.json();
}
