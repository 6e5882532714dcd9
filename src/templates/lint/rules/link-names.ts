import type { Examined } from '../examined.ts';
import type { Found } from '../finding.ts';
import type { PageElement } from '../page.ts';

const VAGUE = new Set(
  'click here,click,here,read more,more,link,this link,learn more,haga clic aquí,haz clic aquí,clic aquí,pulse aquí,pincha aquí,aquí,leer más,más,más información,enlace'.split(
    ',',
  ),
);

const UNSUBSCRIBE =
  /unsubscri|opt[ -]?out|email preferences|manage (?:your )?(?:preferences|subscription)|darse de baja|darte de baja|date de baja|cancelar (?:la |tu |su )?suscripci[oó]n|desuscri|desubscri|preferencias de correo/i;

/** Rules about what links are called. */
export function* linkNames({ page, looks }: Examined): Iterable<Found> {
  const names = namesOf(page);
  let offersToLeave = false;
  for (const [link, name] of names) {
    const { attributes, at } = link;
    const address = attributes.get('href') ?? '';
    offersToLeave ||= UNSUBSCRIBE.test(`${name} ${address}`.slice(0, 5000));
    if (!attributes.has('href') || looks.get(link)?.isHidden) continue;
    const text = name.replace(/[\s\u00a0]+/g, ' ').trim();
    if (text === '') yield { rule: 'link-name', at };
    else if (
      VAGUE.has(
        text
          .toLowerCase()
          .replace(/[.!»›>→]+$/, '')
          .trim(),
      )
    )
      yield { rule: 'link-text', at, params: { text } };
  }
  if (!offersToLeave && !page.isCut) yield { rule: 'unsubscribe' };
}

/** What a screen reader says for each link, in the order of the html. */
function namesOf({ elements, texts }: Examined['page']): ReadonlyMap<PageElement, string> {
  const names = new Map<PageElement, string>();
  const add = (link: PageElement | undefined, text: string) => {
    const name = link && (names.get(link) ?? '');
    if (link && name !== undefined && name.length < 500) names.set(link, `${name} ${text.slice(0, 500)}`);
  };
  for (const { tag, link, attributes } of elements) {
    const label = attributes.get('aria-label') ?? attributes.get('title') ?? '';
    add(link, tag === 'img' ? `${label} ${attributes.get('alt') ?? ''}` : label);
  }
  for (const { text, parent } of texts) add(parent.link, text);
  return names;
}
