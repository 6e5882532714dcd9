import { createHash } from 'node:crypto';
import type { Attachment } from 'nodemailer/lib/mailer';

/** A finished email. Without from and to, a email client opens it as a draft with both to fill in. */
export type Mail = {
  readonly subject: string | null;
  readonly html: string;
  readonly text: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly date: Date;
  /** Such as `<1@example.com>`; made from the email itself when absent, so that the same email gives the same bytes. */
  readonly messageId?: string | undefined;
};

/**
 * An email as a message file (RFC 5322): text and HTML in UTF-8, lines ended by CRLF. Images that stand in the HTML as `data:` become
 * parts of the message, because few email clients show them otherwise. Nothing is fetched and nothing is sent.
 */
export async function toEml(mail: Mail): Promise<Uint8Array> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { subject, text, from, to, date } = mail;
  const identity = createHash('sha256')
    .update(JSON.stringify(mail.messageId ?? [subject, mail.html, text, from, to, date]))
    .digest('hex')
    .slice(0, 32);
  const { html, attachments } = attachImages(mail.html, identity);
  const options = {
    ...(subject !== null && { subject: oneLine(subject) }),
    ...(from !== undefined && { from: oneLine(from) }),
    ...(to !== undefined && { to: oneLine(to) }),
    html,
    text,
    attachments,
    date,
    messageId: oneLine(mail.messageId ?? `<${identity}@stallhand.invalid>`),
    // Outlook and others open such a file to be edited and sent, not as an email received.
    headers: { 'X-Unsent': '1' },
    baseBoundary: identity,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return new MailComposer(options).compile().build();
}

const DATA_IMAGE =
  /(\s(?:src|background)\s*=\s*)(?:"data:(image\/[a-z0-9.+-]+);base64,([a-z0-9+/=\s]+)"|'data:(image\/[a-z0-9.+-]+);base64,([a-z0-9+/=\s]+)')/gi;

function attachImages(html: string, identity: string): { html: string; attachments: Attachment[] } {
  const images = new Map<string, Attachment & { cid: string }>();
  const attached = html.replace(
    DATA_IMAGE,
    (_all, start: string, type: string, data: string, otherType: string, otherData: string) => {
      const contentType = (type ?? otherType).toLowerCase();
      const content = type === undefined ? otherData : data;
      const key = `${contentType} ${content}`;
      const cid = images.get(key)?.cid ?? `image${images.size + 1}.${identity}@stallhand.invalid`;
      if (!images.has(key))
        images.set(key, {
          cid,
          contentType,
          content,
          encoding: 'base64',
          filename: fileName(contentType, images.size),
        });
      return `${start}"cid:${cid}"`;
    },
  );
  return { html: attached, attachments: [...images.values()] };
}

function fileName(contentType: string, index: number): string {
  const extension = contentType.slice('image/'.length).replace('jpeg', 'jpg').replace('svg+xml', 'svg');
  return `image${index + 1}.${extension}`;
}

/** A line break in a header would start another. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be taken out
  return text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim();
}
