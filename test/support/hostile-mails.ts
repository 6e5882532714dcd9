export type HostileMail = { readonly name: string; readonly html: string; readonly data: { a: number[] } };

/** Mails of up to 5 MB that render soon and are hard to read afterwards. */
export const HOSTILE_MAILS: readonly HostileMail[] = [
  mail('elements in each other', repeated('<div>')),
  mail('formatting elements in each other', repeated('<b><i><a>')),
  mail('formatting elements closed in the wrong order', repeated('<b><i><p></b>x</i>')),
  mail('tables in each other', repeated('<table><tr><td>')),
  mail('50,000 attributes of one element', `<p${names(50_000)}>`),
  mail('a style sheet', `<style>${repeated('a{b:c}')}</style>`),
  mail('addresses in one style sheet', `<style>${repeated('url(//x.test)')}</style>`),
  mail('style attributes', repeated('<p style="a:url(//x.test)">')),
  mail('images', repeated('<img src=//x.test>')),
  mail('handlers and code in addresses', repeated('<a href="javascript:x" onclick=x>')),
  mail('spaces in a tag', `<img${repeated(' ')}`),
];

function mail(name: string, html: string): HostileMail {
  return { name, html, data: { a: Array.from({ length: 45 }, (_, index) => index) } };
}

/** 100 KB of a text, 45 times. */
function repeated(text: string): string {
  return `{{#each a}}${text.repeat(Math.floor(100_000 / text.length))}{{/each}}`;
}

function names(count: number): string {
  return Array.from({ length: count }, (_, index) => ` ${(index + 36 ** 3).toString(36)}`).join('');
}
