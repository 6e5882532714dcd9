import { invalid } from './refusal.ts';

type Mask = { readonly [name: string]: Mask };

/** Leaves of an answer what `fields` names, such as `properties.title,sheets(properties(sheetId,title))`. */
export function pickFields(answer: unknown, fields: string | null): unknown {
  if (fields === null || fields === '' || fields === '*') return answer;
  return pick(answer, parseMask(fields));
}

function parseMask(fields: string): Mask {
  const tokens = fields.match(/[^,().\s/]+|[,()./]/g) ?? [];
  let at = 0;
  const mask = list();
  if (at < tokens.length) throw invalid(`Request contains an invalid argument: fields ${fields}`);
  return mask;

  function list(): Mask {
    const parts: Record<string, Mask> = {};
    do {
      const [name, below] = field();
      parts[name] = { ...parts[name], ...below };
    } while (took(','));
    return parts;
  }

  function field(): [string, Mask] {
    const name = tokens[at++] ?? '';
    if (!/^[\w*]+$/.test(name)) throw invalid(`Request contains an invalid argument: fields ${fields}`);
    if (took('.') || took('/')) return [name, Object.fromEntries([field()])];
    if (!took('(')) return [name, {}];
    const below = list();
    if (!took(')')) throw invalid(`Request contains an invalid argument: fields ${fields}`);
    return [name, below];
  }

  function took(token: string): boolean {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  }
}

function pick(value: unknown, mask: Mask): unknown {
  if (Object.keys(mask).length === 0 || mask['*']) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, item]) => {
    const below = mask[name];
    return below ? [[name, pick(item, below)]] : [];
  });
  return Object.fromEntries(entries);
}
