/** Any item of a list, or any field of an object that is looped over. */
export const ITEM = '[]';

/** First part of the places that a partial reads from the root of the data instead of from its own context. */
export const ROOT = '@root';

/** First part of the places that are the account's brand, `@brand.name`, and none of the data. */
export const BRAND = '@brand';

/** A place in the data: the fields that lead to it from the root. */
export type Ref = readonly string[];

/** The name of a place as a template would write it: `user.first_name`, `items[].price`, `user.[first name]`. */
export function nameOf(ref: Ref): string {
  let name = '';
  for (const part of ref) {
    if (part === ITEM) name += ITEM;
    else name += (name === '' ? '' : '.') + (isPlain(part) ? part : `[${part.replace(/[\\\]]/g, '\\$&')}]`);
  }
  return name;
}

/** The place a name stands for; the inverse of `nameOf`. */
export function refOf(name: string): Ref {
  const ref: string[] = [];
  let at = 0;
  while (at < name.length) {
    if (name.startsWith(ITEM, at)) {
      ref.push(ITEM);
      at += ITEM.length;
      continue;
    }
    if (name[at] === '.') at++;
    const end = name[at] === '[' ? closing(name, at) : next(name, at);
    ref.push(
      name[at] === '[' ? name.slice(at + 1, end - 1).replace(/\\([\\\]])/g, '$1') : name.slice(at, end),
    );
    at = end;
  }
  return ref;
}

/** Handlebars reads these as values. */
const LITERAL = /^(?:-\d+|true|false|null|undefined)$/;

/** What Handlebars reads as a name without brackets. */
function isPlain(part: string): boolean {
  return part === ROOT || part === BRAND || (!LITERAL.test(part) && /^[^\s!"#%-,./;->@[-^`{-~]+$/.test(part));
}

function closing(name: string, open: number): number {
  for (let at = open + 1; at < name.length; at++) {
    if (name[at] === '\\') at++;
    else if (name[at] === ']') return at + 1;
  }
  return name.length;
}

function next(name: string, from: number): number {
  const end = name.slice(from).search(/[.[]/);
  return end < 0 ? name.length : from + end;
}
