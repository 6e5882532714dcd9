import type { Dialect } from './rewrite.ts';

/** Handlebars 3 with `equal`, and variables that Mailgun fills in when it sends (documentation.mailgun.com, "Templates", "Batch sending"). */
export const mailgunDialect: Dialect = {
  helpers: { equal: 'eq' },
  marks: [
    {
      pattern: /%recipient\.([A-Za-z_][\w-]*(?:\.[\w-]+)*)%/g,
      instead: ([, path = '']) => `{{recipient.${path}}}`,
    },
    { pattern: /%recipient_(email|name|fname|lname)%/g, instead: ([, part = '']) => `{{recipient_${part}}}` },
    { pattern: /%recipient%/g, instead: () => '{{recipient_address}}' },
    {
      pattern: /%((?:mailing_list_|tag_)?unsubscribe_url|unsubscribe_email)%/g,
      instead: ([, name = '']) => `{{${name}}}`,
    },
    { pattern: /%v:([A-Za-z_][\w-]*)%/g, instead: ([, name = '']) => `{{${name}}}` },
  ],
};
