/** JSON data, as a template takes it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Data = { readonly [name: string]: Json };

/** One field of a form, read from a JSON Schema. */
export type Field = {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly isRequired: boolean;
} & (
  | { readonly kind: 'text' | 'long' | 'file'; readonly maxLength: number | undefined }
  | {
      readonly kind: 'number';
      readonly min: number | undefined;
      readonly max: number | undefined;
      readonly isWhole: boolean;
    }
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'list'; readonly most: number | undefined; readonly item: Field }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
);

type Schema = { readonly [keyword: string]: unknown };

/** A longer text gets more than one line. */
const ONE_LINE_CHARS = 120;
/** No one writes a text this long into a form: it is the address of a file, or the file itself as data. */
const FILE_CHARS = 100_000;

/** What the page asks for elsewhere, or the account has: the title of the video, how it looks, and the brand. */
const ELSEWHERE: readonly string[] = ['title', 'style', 'locale', 'brand'];

/** The fields of a template's schema, in its order. */
export function fieldsOf(schema: unknown): Field[] {
  return propertiesOf(schema).filter(({ name }) => !ELSEWHERE.includes(name));
}

/** Whether a template has a field of this name. */
export const takes = (schema: unknown, name: string): boolean =>
  Object.hasOwn(asSchema(asSchema(schema)['properties']), name);

function propertiesOf(schema: unknown): Field[] {
  const { properties, required } = asSchema(schema);
  const names = Array.isArray(required) ? required : [];
  return Object.entries(asSchema(properties)).map(([name, property]) =>
    fieldOf(name, asSchema(property), names.includes(name)),
  );
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): Field {
  const { title, description } = schema;
  const about = {
    name,
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : undefined,
    isRequired,
  };
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const options = schema['enum'];
  if (Array.isArray(options)) return { ...about, kind: 'choice', options: options.map(String) };
  if (types.includes('array'))
    return {
      ...about,
      kind: 'list',
      most: numberOf(schema['maxItems']),
      item: fieldOf(name, asSchema(schema['items']), true),
    };
  if (types.includes('object')) return { ...about, kind: 'group', fields: propertiesOf(schema) };
  if (types.includes('boolean')) return { ...about, kind: 'switch' };
  if ((types.includes('number') || types.includes('integer')) && !types.includes('string'))
    return {
      ...about,
      kind: 'number',
      min: numberOf(schema['minimum']),
      max: numberOf(schema['maximum']),
      isWhole: types.includes('integer'),
    };
  const maxLength = numberOf(schema['maxLength']);
  if (maxLength !== undefined && maxLength >= FILE_CHARS) return { ...about, kind: 'file', maxLength };
  return { ...about, kind: (maxLength ?? 0) > ONE_LINE_CHARS ? 'long' : 'text', maxLength };
}

/** The data without what is empty: an empty field is one that was not filled in. */
export function withoutEmpty(data: Data): Data {
  return Object.fromEntries(
    Object.entries(data)
      .map(([name, value]) => [name, filled(value)] as const)
      .filter(([, value]) => !isEmpty(value)),
  );
}

function filled(value: Json): Json {
  if (isList(value)) return value.map(filled).filter((one) => !isEmpty(one));
  return isData(value) ? withoutEmpty(value) : value;
}

/** What a field of this kind has before anyone fills it in. */
export function emptyOf(field: Field): Json {
  if (field.kind === 'list') return [];
  return field.kind === 'group' ? {} : '';
}

const isEmpty = (value: Json): boolean =>
  value === '' || (isList(value) && value.length === 0) || (isData(value) && Object.keys(value).length === 0);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const isData = (value: Json | undefined): value is Data =>
  typeof value === 'object' && value !== null && !isList(value);

const asSchema = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
