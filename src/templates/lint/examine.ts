import { chooseClients } from './clients.ts';
import type { Check } from './examined.ts';
import type { Found, Mail } from './finding.ts';
import { looks as looksOf } from './look.ts';
import { readPage } from './read-page.ts';
import { clientSupport } from './rules/client-support.ts';
import { document } from './rules/document.ts';
import { envelope, preheader } from './rules/envelope.ts';
import { images } from './rules/images.ts';
import { linkNames } from './rules/link-names.ts';
import { links } from './rules/links.ts';
import { markup } from './rules/markup.ts';
import { reading } from './rules/reading.ts';
import { size, styleSize } from './rules/size.ts';

const CHECKS: readonly Check[] = [markup, document, images, links, linkNames, reading, clientSupport];

/**
 * Everything the rules see in a mail. Html with too many elements or levels is not read, only weighed.
 * @throws Fault validation_failed for a client that does not exist
 */
export function* examine(mail: Mail, wantedClients: readonly string[] | undefined): Iterable<Found> {
  const clients = chooseClients(wantedClients);
  const page = readPage(mail.html);
  if (!page || page.isCut) yield { rule: 'partly-examined' };
  yield* size(mail);
  yield* envelope(mail);
  if (!page) return;
  const looks = looksOf(page);
  const examined = { mail, page, looks, clients };
  yield* styleSize(page);
  yield* preheader(examined);
  for (const check of CHECKS) yield* check(examined);
}
