/**
 * Placeholders of other email tools, which this engine prints as they are: Mailchimp `*|NAME|*`, Liquid and Jinja
 * `{% if a %}`, ERB `<%= a %>`, Mailgun `%recipient.name%`, Salesforce `%%name%%`, Brevo and ActiveCampaign `%NAME%`,
 * JavaScript `${name}` and Mandrill or Sailthru `[[name]]`.
 */
const FOREIGN_TAG =
  /\*\|[^|*\n]{1,100}\|\*|\{%[^%]{1,200}%\}|<%[^%]{1,200}%>|%recipient\.[\w.]{1,100}%|%%[a-z_][\w.]{0,100}%%|%[A-Z][A-Z_]{2,50}%|\$\{[a-z_$][\w.$]{0,100}\}|\[\[[a-z_][\w.]{0,100}\]\]/gi;

/** Each placeholder once, in the order of the text. Capitals matter only to `%NAME%`, which is else part of a sentence. */
export function foreignTags(text: string): string[] {
  const found = text.match(FOREIGN_TAG) ?? [];
  return [...new Set(found)].filter((tag) => !/^%[a-z_]+%$/i.test(tag) || tag === tag.toUpperCase());
}
