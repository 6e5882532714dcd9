import type { IOptions } from 'sanitize-html';

const OPTIONS: IOptions = {
  allowedTags:
    'a b blockquote br code em figcaption figure h2 h3 h4 hr i img li ol p pre strong sub sup table tbody td th thead tr ul'.split(
      ' ',
    ),
  allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'title', 'width', 'height'], ol: ['start'] },
  allowedSchemes: ['https', 'mailto'],
  allowProtocolRelative: false,
};

/** The harmless part of a post: text, links and images, no script, style or frame. */
export async function sanitizePost(html: string): Promise<string> {
  const { default: sanitize } = await import('sanitize-html');
  return sanitize(html, OPTIONS);
}
