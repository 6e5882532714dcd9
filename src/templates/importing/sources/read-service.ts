import type { Arrival } from '../arrival.ts';
import type { Service } from './detect-source.ts';
import { readMailgun } from './read-mailgun.ts';
import { readOwn } from './read-own.ts';
import { readPostmark } from './read-postmark.ts';
import { readSendgrid } from './read-sendgrid.ts';

/** Reads what a service exported. `where` names the payload or the file, for errors. */
export async function readService(service: Service, value: unknown, where: string): Promise<Arrival[]> {
  switch (service) {
    case 'sendgrid':
      return readSendgrid(value, where);
    case 'postmark':
      return readPostmark(value, where);
    case 'mailgun':
      return readMailgun(value, where);
    case 'mjml':
    case 'html':
      return readOwn(value, where);
  }
}
