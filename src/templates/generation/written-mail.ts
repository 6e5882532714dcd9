import { z } from 'zod';

/** More than any answer's tokens make; what checks it need not bear more. Counts characters. */
const LONGEST = 128 * 1024;
const Line = z.string().max(2000);
const Text = z.string().max(LONGEST);

/** What a model is asked to write: every field is there, empty where the mail has none. */
export const WrittenMail = z.object({
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
export type WrittenMail = z.output<typeof WrittenMail>;

/** What the model says about one variable. */
export type WrittenVariable = WrittenMail['variables'][number];
