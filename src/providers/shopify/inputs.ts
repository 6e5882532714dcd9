import { isMore, MORE_FIELDS, metafieldOf, type StoreField, specOf } from '../../sync/ports/store-fields.ts';

type Values = readonly (readonly [StoreField, string | null])[];
type Input = Readonly<Record<string, unknown>>;

/** The part of ProductUpdateInput that sets these fields of a product. */
export function inputOfProduct(values: Values, typeOf: TypeOf): Input {
  const renamed = values.some(([field]) => field === 'handle') ? { redirectNewHandle: true } : {};
  return { ...inputOfFields(values, typeOf), ...renamed };
}

type TypeOf = (field: StoreField) => string | undefined;

/** The part of an input that sets these fields, metafields among them. */
export function inputOfFields(values: Values, typeOf: TypeOf): Input {
  const metafields = values.flatMap(([field, value]) => {
    const name = metafieldOf(field);
    return name && value !== null ? [{ ...name, value, type: typeOf(field) }] : [];
  });
  const own = values.filter(([field]) => !metafieldOf(field));
  return { ...inputOfMore(own), ...(metafields.length > 0 && { metafields }) };
}

/** The part of an input that sets these fields, each at its path. */
function inputOfMore(values: Values): Input {
  return values.reduce<Input>(
    (input, [field, value]) => merged(input, nested(pathOf(field).split('.'), inputValue(field, value))),
    {},
  );
}

function pathOf(field: StoreField): string {
  return isMore(field) ? MORE_FIELDS[field].write : field;
}

function inputValue(field: StoreField, value: string | null): unknown {
  const { kind, choices = {}, empty = null } = specOf(field);
  if (value === null) return empty;
  if (kind === 'tags') return value.split(',').map((tag) => tag.trim());
  if (kind !== 'choice') return value;
  return Object.keys(choices).find((name) => choices[name] === value) ?? value.toUpperCase();
}

function nested([head = '', ...rest]: readonly string[], value: unknown): Input {
  return { [head]: rest.length > 0 ? nested(rest, value) : value };
}

/** Both inputs in one; where both have an object, that of both. */
export function merged(one: Input, other: Input): Input {
  const both = Object.entries(other).map(([name, value]): [string, unknown] => {
    const before = one[name];
    return [name, isInput(before) && isInput(value) ? merged(before, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

function isInput(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
