import type { Page, PageElement } from './page.ts';

/** What holds for one element, by property; `null` where it cannot be told without a browser. */
export type Styles = ReadonlyMap<string, string | null>;

type Entry = {
  readonly property: string;
  readonly value: string | null;
  /** Later and heavier wins. */
  readonly weight: number;
};

type Compound = { readonly tag: string; readonly needs: readonly string[]; readonly isSure: boolean };

const IMPORTANT = 1_000_000;
const INLINE = 100_000;

/**
 * Resolves embedded and inline styles as far as that is certain: selectors of one tag, classes and ids. What a longer
 * selector may set is not known. Rules that wait for a pointer or for one client, such as `:hover` and `[data-ogsc]`, do
 * not count.
 */
export function createCascade({ rules }: Pick<Page, 'rules'>): (element: PageElement) => Styles {
  const known = new Map<string, readonly Entry[]>();
  const read = rules.flatMap((rule) =>
    rule.selectors.flatMap((selector) => {
      const compound = readSelector(selector);
      return compound ? [{ compound, declared: rule.declarations }] : [];
    }),
  );

  function entriesFor(element: PageElement): readonly Entry[] {
    const names = namesOf(element);
    const key = [element.tag, ...names].join(' ');
    const found = known.get(key) ?? read.flatMap((rule) => entriesOf(rule, element.tag, new Set(names)));
    known.set(key, found);
    return found;
  }

  return (element) => {
    const inline = element.style.map(({ property, value, important }) => ({
      property,
      value,
      weight: INLINE + (important ? IMPORTANT : 0),
    }));
    const sorted = [...entriesFor(element), ...inline].sort((a, b) => a.weight - b.weight);
    return new Map(sorted.map(({ property, value }) => [property, value]));
  };
}

function namesOf({ attributes }: PageElement): string[] {
  const id = attributes.get('id');
  const classes = (attributes.get('class') ?? '').split(/\s+/).slice(0, 50);
  return [...(id ? [`#${id}`] : []), ...classes.filter((name) => name !== '').map((name) => `.${name}`)];
}

function entriesOf(
  { compound, declared }: { compound: Compound; declared: PageElement['style'] },
  tag: string,
  names: ReadonlySet<string>,
): Entry[] {
  const { tag: wanted, needs, isSure } = compound;
  if (wanted !== '' && wanted !== '*' && wanted !== tag) return [];
  if (!needs.every((name) => names.has(name))) return [];
  const ids = needs.filter((name) => name.startsWith('#')).length;
  const specific = ids * 10_000 + (needs.length - ids) * 100 + (wanted === '' || wanted === '*' ? 0 : 1);
  return declared.map(({ property, value, important }) => ({
    property,
    value: isSure ? value : null,
    weight: specific + (important ? IMPORTANT : 0),
  }));
}

const WAITING = /:(?:hover|active|focus|before|after|root|target|checked)/i;

/** The last compound of a selector; undefined when it never holds for a mail that is just opened. */
function readSelector(selector: string): Compound | undefined {
  const parts = selector.split(/[\s>+~]+/).filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  if (WAITING.test(selector) || parts.some((part) => part.includes('['))) return undefined;
  const [plain = ''] = last.split(':');
  const match = /^([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)$/i.exec(plain);
  if (!match) return { tag: '', needs: [], isSure: false };
  const needs = match[2]?.match(/[.#][\w-]+/g) ?? [];
  return { tag: (match[1] ?? '').toLowerCase(), needs, isSure: parts.length === 1 && plain === last };
}
