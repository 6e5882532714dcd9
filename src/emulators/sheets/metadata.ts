import { z } from 'zod';
import { type Book, freshId, type Metadata, sheetById } from './book.ts';
import { invalid, parseBody } from './faults.ts';

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

const Location = z.object({
  locationType: z.string().optional(),
  sheetId: z.int().optional(),
  spreadsheet: z.boolean().optional(),
  dimensionRange: z
    .object({
      sheetId: z.int(),
      dimension: z.enum(['ROWS', 'COLUMNS']),
      startIndex: z.int().min(0),
      endIndex: z.int().min(1),
    })
    .optional(),
});
const Lookup = z.object({
  metadataId: z.int().optional(),
  metadataKey: z.string().optional(),
  metadataValue: z.string().optional(),
  visibility: z.string().optional(),
  locationType: z.string().optional(),
  metadataLocation: Location.optional(),
});
type Lookup = z.output<typeof Lookup>;
const DataFilter = z.object({ developerMetadataLookup: Lookup });
const Search = z.object({ dataFilters: z.array(DataFilter).min(1) });
export const CreateMetadata = z.object({
  developerMetadata: z.object({
    metadataId: z.int().optional(),
    metadataKey: z.string().min(1),
    metadataValue: z.string().default(''),
    visibility: z.enum(['DOCUMENT', 'PROJECT']),
    location: Location,
  }),
});
export const DeleteMetadata = z.object({ dataFilter: DataFilter });

/** `spreadsheets.developerMetadata.search`. */
export function searchMetadata(book: Book, body: unknown) {
  const { dataFilters } = parseBody(Search, body);
  const matched = book.metadata.flatMap((one) => {
    const filters = dataFilters.filter(({ developerMetadataLookup }) =>
      matches(one, developerMetadataLookup),
    );
    return filters.length === 0 ? [] : [{ developerMetadata: describeMetadata(one), dataFilters: filters }];
  });
  return matched.length === 0 ? {} : { matchedDeveloperMetadata: matched };
}

export function createMetadata(book: Book, { developerMetadata }: z.output<typeof CreateMetadata>) {
  const { metadataId, metadataKey, metadataValue, visibility, location } = developerMetadata;
  const sheetId = location.sheetId ?? location.dimensionRange?.sheetId;
  if (sheetId !== undefined) sheetById(book, sheetId);
  const id = metadataId ?? freshId(book);
  if (book.metadata.some((one) => one.id === id)) {
    throw invalid(`Invalid requests[0].createDeveloperMetadata: metadata with ID ${id} already exists.`);
  }
  const { locationType: _type, ...place } = location;
  const made: Metadata = { id, key: metadataKey, value: metadataValue, visibility, location: place };
  book.metadata.push(made);
  return describeMetadata(made);
}

export function deleteMetadata(book: Book, { dataFilter }: z.output<typeof DeleteMetadata>) {
  const gone = book.metadata.filter((one) => matches(one, dataFilter.developerMetadataLookup));
  book.metadata = book.metadata.filter((one) => !gone.includes(one));
  return gone.map(describeMetadata);
}

export function describeMetadata({ id, key, value, visibility, location }: Metadata) {
  return {
    metadataId: id,
    metadataKey: key,
    metadataValue: value,
    visibility,
    location: { locationType: typeOf(location), ...location },
  };
}

function matches(one: Metadata, lookup: Lookup): boolean {
  const { metadataId = one.id, metadataKey = one.key, metadataValue = one.value } = lookup;
  const { visibility = one.visibility, locationType = typeOf(one.location) } = lookup;
  const sheetId = lookup.metadataLocation?.sheetId;
  const onSheet = one.location.sheetId ?? one.location.dimensionRange?.sheetId;
  return (
    metadataId === one.id &&
    metadataKey === one.key &&
    metadataValue === one.value &&
    visibility === one.visibility &&
    locationType === typeOf(one.location) &&
    (sheetId === undefined || sheetId === onSheet)
  );
}

function typeOf({ sheetId, dimensionRange }: Metadata['location']): string {
  if (dimensionRange) return dimensionRange.dimension === 'ROWS' ? 'ROW' : 'COLUMN';
  return sheetId === undefined ? 'SPREADSHEET' : 'SHEET';
}
