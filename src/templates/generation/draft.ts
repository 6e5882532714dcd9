import { z } from 'zod';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { Examiner } from '../examiner/examiner.ts';
import { stripImports } from './active-content.ts';
import { engineName } from './example-data.ts';

/** More than any answer's tokens make; what checks it need not bear more. Counts characters. */
const MAX_TEXT_CHARS = 128 * 1024;
const Line = z.string().max(2000);
const Text = z.string().max(MAX_TEXT_CHARS);

/** The output a model must return: every field is present, empty where the email has none. */
export const EmailDraft = z.object({
  subject: Line.meta({ description: 'Subject line, at most 60 characters' }),
  preheader: Line.meta({ description: 'Preview text after the subject, 40 to 110 characters' }),
  html: Text.meta({ description: 'The email, Handlebars in HTML' }),
  css: Text.meta({ description: 'Style sheet without variables, inserted into the head' }),
  text: Text.meta({ description: 'The same email as plain text, Handlebars' }),
  variables: z
    .array(
      z.object({
        name: Line.meta({ description: 'As in the template: name, user.name, items[].price' }),
        type: z.enum(['string', 'number', 'boolean', 'array', 'object']),
        required: z.boolean(),
        example: Text.meta({ description: 'A realistic value; JSON for lists and objects' }),
        description: Line.meta({ description: 'What the sender puts here, in a few words' }),
      }),
    )
    .max(200)
    .meta({ description: 'Every variable the template uses' }),
});
export type EmailDraft = z.output<typeof EmailDraft>;

/** What the model says about one variable. */
export type DraftVariable = EmailDraft['variables'][number];

/** An email without control characters and without what only has to be left out, and what that was. @throws Fault as `Examiner` */
export async function cleanDraft(
  { stripActive }: Pick<Examiner, 'stripActive'>,
  written: EmailDraft,
  asker?: QueueCaller,
): Promise<{ answer: EmailDraft; removed: readonly string[] }> {
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

/** Text a database and an email can hold. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
  return text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '');
}
