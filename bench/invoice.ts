const STYLE =
  'font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:21px;color:#333333;padding:10px 0;margin:0;border-collapse:collapse;';

const HEADING = `<h1>Invoice {{invoice.id}} for {{user.first_name}}</h1>{{#if user.vip}}<p>VIP since {{user.vip_since}}</p>{{else}}<p>Join</p>{{/if}}`;

const ITEMS = `<table>{{#each items}}<tr>${[
  '{{@index}}',
  '{{name}}{{#if note}} <em>{{note}}</em>{{/if}}',
  '{{qty}}',
  '{{../currency}} {{price}}',
]
  .map((cell) => `<td style="${STYLE}">${cell}</td>`)
  .join('')}</tr>{{/each}}</table>`;

/** A mail as shops send it: 29 kB of inlined CSS, 48 paragraphs with variables, and a loop over the items. */
export const source = [
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{{subject}}</title></head><body>`,
  `<table width="100%" style="${STYLE}"><tr><td>${HEADING}</td></tr>`,
  ...Array.from({ length: 48 }, (_, index) => paragraph(index)),
  `<tr><td>${ITEMS}</td></tr><tr><td>Total {{total}}</td></tr></table></body></html>`,
].join('');

/** 3.9 kB for `source`, with values that must be escaped; it fills to 65 kB. */
export const data = {
  subject: 'Your invoice',
  currency: 'EUR',
  total: '1234.50',
  user: { first_name: 'Ana & Co', vip: true, vip_since: '2019' },
  links: { action: 'https://example.com/a?b=1&c=2' },
  invoice: { id: 'INV-1' },
  items: Array.from({ length: 50 }, (_, index) => ({
    name: `Product <${index}> with a name`,
    qty: index,
    price: (index * 3.5).toFixed(2),
    note: index % 3 ? 'gift' : '',
  })),
};

function paragraph(index: number): string {
  const link = '<a href="{{links.action}}" style="color:#3869D4;text-decoration:underline">link</a>';
  const text = `Section ${index}: Dear {{user.first_name}}, this is paragraph text number ${index} of the message, with a ${link} and more words to reach a realistic size.`;
  return `<tr><td class="c${index}" style="${STYLE}background-color:#f${index % 10}f4f6;text-align:left"><p style="${STYLE}">${text}</p></td></tr>\n`;
}
