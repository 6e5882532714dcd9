import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { onceAsync } from '../../platform/once-async.ts';

export type CommonPasswords = {
  /** @throws Fault validation_failed.password_guessable */
  refuse(password: string, about: readonly string[]): Promise<void>;
};

/** What strangers can try of one address in a year: see sign-in-attempts.ts. */
const MIN_GUESSES = 1_000_000;
/** Estimating takes time that grows with the square of the length. No long password becomes weaker by what follows. */
const MAX_CHARS = 64;
const OURS = ['stallhand'];

/** The lists are the same for all, and take 0.1 s to read. */
const estimator = onceAsync(openEstimator);

/**
 * Rejects passwords that a million guesses would find: the 49,000 most common ones, keyboard rows, sequences, repeats,
 * dates, and what the person or the service is called, also with digits added or letters replaced.
 *
 * zxcvbn-ts (MIT, 2.3 MB with its list; loads in 0.1 s with the first password) is maintained, and works without a
 * network. A plain list of 10,000 passwords finds almost nothing, because ours have at least 10 characters.
 */
export function createCommonPasswords(): CommonPasswords {
  return {
    async refuse(password, about) {
      const names = [...about.flatMap((text) => text.split('@')), ...OURS].flatMap((text) => {
        const words = text.split(/[^\p{L}\p{N}]+/u);
        return [text, words.join(''), ...words];
      });
      const { guesses } = (await estimator()).check(
        password.normalize('NFKC').slice(0, MAX_CHARS),
        names.filter((name) => name.length > 2),
      );
      if (guesses >= MIN_GUESSES) return;
      const key = 'validation_failed.password_guessable';
      throw new Fault(key, {}, { errors: [{ loc: ['body', 'password'], key }] });
    },
  };
}

/** password-lists.json: words of a list are separated by spaces. */
const PasswordLists = z.object({
  graphs: z.record(z.string(), z.record(z.string(), z.array(z.string().nullable()))),
  dictionary: z.record(
    z.string(),
    z.string().transform((words) => words.split(' ')),
  ),
});

async function openEstimator() {
  const [{ ZxcvbnFactory }, text] = await Promise.all([
    import('@zxcvbn-ts/core'),
    readFile(new URL('./password-lists/password-lists.json', import.meta.url), 'utf8'),
  ]);
  const { graphs, dictionary } = PasswordLists.parse(JSON.parse(text));
  return new ZxcvbnFactory({ graphs, dictionary });
}
