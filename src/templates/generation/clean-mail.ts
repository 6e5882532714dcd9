import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { Examiner } from '../examiner/examiner.ts';
import { stripImports } from './active-css.ts';
import { engineName } from './example-data.ts';
import type { WrittenMail } from './written-mail.ts';

/** A mail without control characters and without what only has to be left out, and what that was. @throws Fault as `Examiner` */
export async function cleanMail(
  { stripActive }: Pick<Examiner, 'stripActive'>,
  written: WrittenMail,
  asker?: QueueCaller,
): Promise<{ answer: WrittenMail; removed: readonly string[] }> {
  const html = await stripActive(plain(written.html), asker);
  const css = stripImports(plain(written.css));
  const answer = {
    subject: plain(written.subject),
    preheader: plain(written.preheader),
    html: html.html,
    css: css.css,
    text: plain(written.text),
    variables: written.variables.map(({ name, example, description, ...rest }) => ({
      ...rest,
      name: engineName(plain(name)),
      example: plain(example),
      description: plain(description).slice(0, 300),
    })),
  };
  return { answer, removed: [...html.removed, ...css.removed] };
}

/** Text a database and a mail can hold. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
  return text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '');
}
